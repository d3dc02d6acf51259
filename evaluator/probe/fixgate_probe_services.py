"""Start the services that tests need beside them, and end them with the tests."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

SERVICE_SECONDS = 30
FIRST_DISPLAY_PORT = 6000
SERVICE_FAILED = 70


def run_beside(spec, path):
    """Run the tests in a child process beside the services, which end with it."""
    services = []
    try:
        for service in spec["services"]:
            services.append(start(service))
            os.environ.update(filled(service))
        child = subprocess.call([sys.executable, sys.argv[0], path, "--served"])
    except ServiceError as error:
        with open(spec["results"], "a") as results:
            results.write(json.dumps({"event": "service", "message": str(error)}) + "\n")
        return SERVICE_FAILED
    finally:
        for process in services:
            process.kill()
    if child < 0:
        signal.signal(-child, signal.SIG_DFL)
        os.kill(os.getpid(), -child)
    return child


class ServiceError(Exception):
    """A service did not come up."""


def start(service):
    """Start a service and wait until its port answers; fills `service["values"]`."""
    port = free_port(service)
    service["values"] = {"port": str(port), "display": str(port - FIRST_DISPLAY_PORT)}
    command = [substitute(part, service) for part in service["command"]]
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ServiceError("service %s cannot be started: %s" % (service["name"], error))
    deadline = time.time() + SERVICE_SECONDS
    while not answers(port):
        if process.poll() is not None or time.time() > deadline:
            process.kill()
            raise ServiceError(
                "service %s did not answer on its port (%s); see the run's output"
                % (service["name"], " ".join(command))
            )
        time.sleep(0.05)
    return process


def free_port(service):
    """A free port; one above 6000 (X11's first) where the command names a display."""
    if any("{display}" in part for part in service["command"]):
        for port in range(FIRST_DISPLAY_PORT + 10, FIRST_DISPLAY_PORT + 200):
            if not answers(port):
                return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def filled(service):
    return {name: substitute(text, service) for name, text in service["variables"].items()}


def substitute(text, service):
    for name, value in service["values"].items():
        text = text.replace("{%s}" % name, value)
    return text
