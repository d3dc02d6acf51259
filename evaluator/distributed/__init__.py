"""Work spread over processes and hosts: tasks in Redis (RQ), and the workers that do them."""
