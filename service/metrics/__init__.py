"""What is counted for Prometheus, and the page that shows it."""
