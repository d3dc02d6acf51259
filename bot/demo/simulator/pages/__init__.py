"""What people see of a simulated GitHub in a browser."""
