"""Start the services that tests need beside them, and end them with the tests."""

import contextlib
import json
import os
import socket
import subprocess
import time

SERVICE_SECONDS = 30
PAUSE_SECONDS = 0.02
FIRST_DISPLAY_PORT = 6000


class ServiceError(Exception):
    """A service did not come up."""

    def event(self):
        """What the results say of it, as bytes of JSON."""
        return json.dumps({"event": "service", "message": str(self)}).encode("ascii")


@contextlib.contextmanager
def running(directory):
    """Start the services of DIRECTORY/spec.json, with their variables set, and end them."""
    with open(os.path.join(directory, "spec.json")) as file:
        services = json.load(file)["services"]
    started = []
    try:
        for service in services:
            try:
                started.append(start(service))
            except ServiceError:
                if not service.get("optional"):
                    raise
                continue
            os.environ.update(filled(service))
        yield
    finally:
        for process in started:
            process.kill()


def start(service):
    """Start a service and wait until it is ready; fills `service["values"]`."""
    port = port_of(service)
    service["values"] = {"port": str(port), "display": str(port - FIRST_DISPLAY_PORT)}
    service["values"]["user"] = os.environ.get("USER", "")
    if answers(port):
        # It would be taken for the service, and what is another's read and emptied by tests.
        raise ServiceError(
            "port %d of service %s is in use; name no port, or take a sandbox with a network of "
            "its own" % (port, service["name"])
        )
    if service.get("archive"):
        service["values"]["directory"] = unpacked(service)
    command = words(service, "command")
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    except OSError as error:
        raise ServiceError("service %s cannot be started: %s" % (service["name"], error))
    deadline = time.time() + SERVICE_SECONDS
    while not (answers(port) and approved(service)):
        if process.poll() is not None or time.time() > deadline:
            process.kill()
            raise ServiceError(
                "service %s did not answer on its port (%s); see the run's output"
                % (service["name"], " ".join(command))
            )
        time.sleep(PAUSE_SECONDS)
    return process


def unpacked(service):
    """A new directory with what the service starts from."""
    directory = os.path.join(os.environ["TMPDIR"], os.urandom(8).hex())
    os.mkdir(directory, 0o700)
    try:
        subprocess.check_call(["tar", "-xf", service["archive"], "-C", directory])
    except (OSError, subprocess.CalledProcessError) as error:
        raise ServiceError("service %s cannot be laid out: %s" % (service["name"], error))
    return directory


def approved(service):
    """Whether the command that is to succeed first does so now, where there is one."""
    check = words(service, "check")
    try:
        return not check or subprocess.call(check, stdin=subprocess.DEVNULL) == 0
    except OSError as error:
        raise ServiceError("service %s cannot be checked: %s" % (service["name"], error))


def port_of(service):
    """The service's own port, else a free one; above 6000 (X11's first) where it is a display."""
    if service.get("port"):
        return service["port"]
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


def words(service, key):
    """The words of one of its commands."""
    return [substitute(part, service) for part in service.get(key, ())]


def filled(service):
    return {name: substitute(text, service) for name, text in service["variables"].items()}


def substitute(text, service):
    for name, value in service["values"].items():
        text = text.replace("{%s}" % name, value)
    return text
