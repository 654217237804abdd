"""What is counted for Prometheus, and the process that tells it: on an address of its own."""
