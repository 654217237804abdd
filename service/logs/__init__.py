"""What is written to the standard error: lines of JSON or of text, one a request, one a fault."""
