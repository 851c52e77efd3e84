"""``python3 THIS_FOLDER FILE:CLASS``: the package without installing it."""

from kingme.__main__ import main

main()
