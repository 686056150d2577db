"""What a host of WSGI applications loads; the one module that makes something when it is imported."""

from web.hosted import hosted_app

app = hosted_app()
