"""What goes into a zip beside the app, so that it runs anywhere: how to start it, and a Dockerfile."""

from contracts.deployments import Parcel
from providers.parcels import python_target, site_folder

README, DOCKERFILE, IGNORED = "RUN-IT-ANYWHERE.md", "Dockerfile", ".dockerignore"
FLASK = """FROM python:3.13-slim
WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir -r requirements.txt gunicorn
COPY . .
ENV PORT=8000 DATA_DIR=/data
VOLUME /data
CMD ["sh", "-c", "exec gunicorn --bind 0.0.0.0:$PORT '{target}'"]
"""
NODE = """FROM node:24-slim
WORKDIR /app
COPY . .
RUN npm install --omit=dev
ENV PORT=8000 HOST=0.0.0.0 DATA_DIR=/data
VOLUME /data
CMD ["npm", "start"]
"""
SITE = """FROM nginx:stable-alpine
COPY {folder} /usr/share/nginx/html
"""
PYTHON_TOOL = """FROM python:3.13-slim
WORKDIR /app
COPY . .
RUN if [ -s requirements.txt ]; then pip install --no-cache-dir -r requirements.txt; fi
ENV DATA_DIR=/data
VOLUME /data
ENTRYPOINT ["python3", "main.py"]
"""
NODE_TOOL = """FROM node:24-slim
WORKDIR /app
COPY . .
RUN if [ -f package.json ]; then npm install --omit=dev; fi
ENV DATA_DIR=/data
VOLUME /data
ENTRYPOINT ["node", "main.js"]
"""
DOCKERFILES = {"flask": FLASK, "node": NODE, "static": SITE, "tool-python": PYTHON_TOOL, "tool-node": NODE_TOOL}
BY_HAND = {
    "flask": "python3 -m venv .venv\n.venv/bin/pip install -r requirements.txt\n"
    ".venv/bin/flask --app {target} run --port 8000",
    "node": "npm install --omit=dev\nPORT=8000 npm start",
    "static": "python3 -m http.server 8000 --directory {folder}",
    "tool-python": "python3 -m venv .venv\n{install}.venv/bin/python main.py --help",
    "tool-node": "node main.js --help",
}
IN_DOCKER = {
    "static": "docker run --rm -p 8000:80 {image}",
    "tool-python": "docker run --rm -v {image}-data:/data {image} --help",
    "tool-node": "docker run --rm -v {image}-data:/data {image} --help",
}
SERVED = "docker run --rm -p 8000:8000 -v {image}-data:/data {image}"
NOT_SHOWN = f"{README}\n{DOCKERFILE}\nREADME.md\ntests\n.*\n"
"""What a site has beside its pages, which its server would show to everybody."""


def guides(parcel: Parcel) -> dict[str, bytes]:
    """By path; what the app brings itself is not among them."""
    kind = parcel.framework if parcel.framework in DOCKERFILES else "flask"
    image = parcel.project.lower()
    known = {
        "target": python_target(parcel.files) or "app:app",
        "folder": site_folder(parcel.files) or ".",
        "install": ".venv/bin/pip install -r requirements.txt\n" if "requirements.txt" in parcel.files else "",
    }
    by_hand = BY_HAND[kind].format(**known).replace("\n", "\n    ")
    where = "" if kind.startswith("tool") else "Then open http://127.0.0.1:8000 in a browser.\n\n"
    words = f"""# How to run `{parcel.project}`

Unpack this zip and open a terminal in its folder. Then either of these:

With Docker:

    docker build -t {image} .
    {IN_DOCKER.get(kind, SERVED).format(image=image)}

Without:

    {by_hand}

{where}Its README says what it does and which settings it reads from the environment.
"""
    found = {README: words, DOCKERFILE: DOCKERFILES[kind].format(**known)}
    found |= {IGNORED: NOT_SHOWN} if kind == "static" else {}
    return {path: text.encode() for path, text in found.items() if path not in parcel.files}
