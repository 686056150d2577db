"""What the product promises, measured."""
