"""Certificates for servers that tests start."""

import subprocess
from pathlib import Path


def certify(certificate: Path, key: Path) -> None:
    """Writes a certificate of 127.0.0.1 that signs itself, and its key."""
    command = [
        *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
        *("-subj", "/CN=asterism", "-addext", "subjectAltName=IP:127.0.0.1"),
        *("-out", str(certificate), "-keyout", str(key)),
    ]
    subprocess.run(command, check=True, capture_output=True)
