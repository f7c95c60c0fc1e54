"""Checks the files of containers in a page, as far as that goes without an engine.

Dockerfile   stages that exchange compiled files have one system; a wheel is built in the image, by its own Python
*.yaml       objects of Kubernetes: selectors match labels, and pods are told where node ids come from, the way
             that their kind allows: a StatefulSet may have `ordinal`, a Deployment has the address of a store
"""

from __future__ import annotations

import re

STORES = ("redis", "rediss", "redis+sentinel", "zookeeper", "etcd", "etcds", "postgresql", "mysql")


def check_file(name: str, text: str) -> str | None:
    """Returns the fault of a file, or None. Files of other kinds have none."""
    if name == "Dockerfile":
        return check_dockerfile(text)
    return check_manifests(text) if name.endswith(".yaml") else None


def check_dockerfile(text: str) -> str | None:
    stages = re.findall(r"^FROM (\S+)(?: AS (\S+))?$", text, re.M)
    copied = re.findall(r"^COPY (?:--from=(\S+) )?(.*) \S+$", text, re.M)
    if not stages:
        return "a Dockerfile without FROM"
    if any(":" not in image or image.endswith(":latest") for image, _ in stages):
        return "an image without a version"
    if any("alpine" in image for image, _ in stages):
        return "Alpine has no glibc"
    known = {name for _, name in stages if name}
    for source, what in copied:
        if source and source not in known:
            return f"no stage is called {source}"
        if not source and ".whl" in what:
            return "a wheel of the machine that builds is one of its Python, not of the image's: build it in the image"
    systems = {re.split(r"[-:]", image)[-1] for image, _ in stages}
    versions = {image.split(":")[0]: image for image, _ in stages}
    if len(systems) > 1 or {image for image, _ in stages} != set(versions.values()):
        return f"stages of several systems or versions: {', '.join(image for image, _ in stages)}"
    return None


def check_manifests(text: str) -> str | None:
    import yaml

    objects = [one for one in yaml.safe_load_all(text) if one]
    for one in objects:
        if not {"apiVersion", "kind", "metadata"} <= set(one):
            return f"not an object of Kubernetes: {sorted(one)}"
        if one["kind"] in ("Deployment", "StatefulSet") and (wrong := check_workload(one, objects)):
            return f"{one['kind']} {one['metadata']['name']}: {wrong}"
    return None


def check_workload(workload: dict, objects: list[dict]) -> str | None:
    spec = workload["spec"]
    labels = spec["template"]["metadata"]["labels"]
    if not spec["selector"]["matchLabels"].items() <= labels.items():
        return "its selector does not match its pods"
    names = [one["metadata"]["name"] for one in objects if one["kind"] == "Service"]
    if workload["kind"] == "StatefulSet" and spec.get("serviceName") not in names:
        return "a StatefulSet names a Service of the same file"
    for container in spec["template"]["spec"]["containers"]:
        for probe in ("readinessProbe", "livenessProbe"):
            ports = [port["containerPort"] for port in container.get("ports", ())]
            if container.get(probe, {}).get("httpGet", {}).get("port", ports[0] if ports else None) not in ports:
                return f"the {probe} asks another port than {ports}"
        worker = next((one for one in container["env"] if one["name"] == "POLYFLAKE_WORKER"), None)
        if worker is None:
            return "nothing says where node ids come from"
        if "valueFrom" in worker:
            continue  # a secret
        value = worker["value"]
        is_store = re.match(rf"({'|'.join(map(re.escape, STORES))})://[^?]+\?(.*&)?namespace=", value)
        if not is_store and (workload["kind"], value) != ("StatefulSet", "ordinal"):
            return f"{value} does not give each pod a node id of its own"
    return None
