"""The version is project(polyflake VERSION ...) in CMakeLists.txt; every copy of it is the same."""

from __future__ import annotations

import importlib.metadata
import json
import re

import project

CLIENT_ROW = r"^\| ((?:Python|Node|Java) [^|]+) \| ([^|]+) \| ([^|]+) \|$"
JAVA_CLIENTS = {  # by their names in docs/leases.md
    "Jedis": "jedis",
    "Lettuce": "lettuce",
    "Curator": "curator",
    "jetcd": "jetcd",
    "PostgreSQL JDBC": "postgresql",
    "MariaDB Connector/J": "mariadb",
    "MySQL Connector/J": "mysql",
}


def check_every_package_has_the_version_of_cmake():
    lock = json.loads(project.text("package-lock.json"))
    copies = {
        "package.json": json.loads(project.text("package.json"))["version"],
        "package-lock.json": lock["version"],
        "package-lock.json, packages": lock["packages"][""]["version"],
        "java/pom.xml": re.search(
            r"<artifactId>polyflake</artifactId>\s*<version>([^<]+)<", project.text("java/pom.xml")
        )[1],
        "the wheel's metadata": importlib.metadata.version("polyflake"),
    }
    for place, copy in copies.items():
        if copy != project.version():
            yield f"{place} says {copy}, CMakeLists.txt {project.version()}"


def check_the_changelog_has_the_versions_in_order():
    headings = re.findall(r"^## (.+)$", project.text("CHANGELOG.md"), re.M)
    versions = [tuple(map(int, heading.split("."))) for heading in headings[1:]]
    if headings[0] != "Unreleased" or versions != sorted(set(versions), reverse=True):
        yield f"CHANGELOG.md has the headings {', '.join(headings)}"
    if versions and headings[1] != project.version():
        yield f"CHANGELOG.md, its newest version says {headings[1]}, CMakeLists.txt {project.version()}"


def check_test_projects_ask_for_this_version():
    for path in project.files():
        if path.startswith("tests/") and path.endswith("pom.xml"):
            for found in re.findall(r"<artifactId>polyflake</artifactId>\s*<version>([\d.]+)<", project.text(path)):
                if found != project.version():
                    yield f"{path} asks for polyflake {found}, this is {project.version()}"


def check_pages_name_this_version():
    for path in project.files():
        if path.endswith(".md") and path != "CHANGELOG.md":
            in_maven = r"<artifactId>polyflake</artifactId>\s*<version>([\d.]+)<"
            for found in re.findall(rf"polyflake[-:](\d+\.\d+\.\d+)|{in_maven}", project.text(path)):
                found = found[0] or found[1]
                if found != project.version():
                    yield f"{path} names polyflake {found}, this is {project.version()}"


def check_expected_outputs_name_this_version():
    for path in project.files():
        if path.startswith("tests/cli/expected/"):
            for found in re.findall(r"\bpolyflake (\d+\.\d+\.\d+)", project.text(path)):
                if found != project.version():
                    yield f"{path} says polyflake {found}, this is {project.version()}"


def check_dependencies_are_pinned_exactly():
    package = json.loads(project.text("package.json"))
    for group in ("dependencies", "devDependencies", "optionalDependencies"):
        for name, wanted in package.get(group, {}).items():
            if not re.fullmatch(r"\d+\.\d+\.\d+", wanted):
                yield f"package.json: {name} {wanted}"
    for path in project.files():
        if path.endswith(("requirements.txt", "requirements-lowest.txt", "lint/constraints.txt")):
            for line in project.text(path).splitlines():
                if line and not line.startswith("#") and not re.fullmatch(r"[\w\[\]-]+==[\w.]+( *;.*)?", line):
                    yield f"{path}: {line}"


def check_packages_need_nothing_at_run_time():
    if json.loads(project.text("package.json")).get("dependencies"):
        yield "package.json has dependencies"
    if re.search(r"^dependencies", project.text("pyproject.toml"), re.M):
        yield "pyproject.toml has dependencies"
    for scope in re.findall(r"<dependency>(.*?)</dependency>", project.text("java/pom.xml").split("<build>")[0], re.S):
        if "<scope>test</scope>" not in scope and "<optional>true</optional>" not in scope:
            yield "java/pom.xml has a dependency that is not for tests alone"


def check_the_page_has_the_versions_of_clients_that_the_tests_run():
    section = project.text("docs/leases.md").split("### Versions of clients")[1].split("###")[0]
    page = {name: (lowest, newest) for name, lowest, newest in re.findall(CLIENT_ROW, section, re.M)}
    pom = dict(re.findall(r"<(\w+\.(?:lowest|newest))>([^<]+)<", project.text("java/pom.xml")))
    for client in JAVA_CLIENTS:
        wanted = pom[JAVA_CLIENTS[client] + ".lowest"], pom[JAVA_CLIENTS[client] + ".newest"]
        if page.pop(f"Java {client}", None) != wanted:
            yield f"docs/leases.md: {client} is not {' to '.join(wanted)}, as in java/pom.xml"
    tests = "tests/python/requirements.txt", "tools/dev/requirements.txt"
    newest = versions_of_node("package.json") | versions_of_python(*tests)
    lowest = versions_of_node("tests/node/lowest/package.json") | versions_of_python(
        "tests/python/requirements-lowest.txt"
    )
    page = {client.replace("`", "").lower(): versions for client, versions in page.items()}
    for client, versions in page.items():
        if versions != (lowest.get(client, newest.get(client)), newest.get(client)):
            yield f"docs/leases.md: {client} {' to '.join(versions)} is not what the tests run"
    for client, least in versions_asked_for().items():
        if client not in page:
            yield f"docs/leases.md has no row for {client}"
        if not f"{lowest.get(client)}.".startswith(f"{least}."):
            yield f"the package asks for {client} {least}, the tests run {lowest.get(client)} as the lowest"


def versions_asked_for() -> dict[str, str]:
    """The versions of clients from which on the packages for Python and Node accept them."""
    peers = json.loads(project.text("package.json"))["peerDependencies"]
    asked = {f"node {name}": wanted.removeprefix(">=") for name, wanted in peers.items()}
    extras = project.text("pyproject.toml").split("[project.optional-dependencies]")[1].split("\n[")[0]
    found = re.findall(r'\["([\w-]+)(?:\[\w+\])?>=([\d.]+)"\]', extras)
    return asked | {f"python {name.lower()}": least for name, least in found}


def versions_of_node(path: str) -> dict[str, str]:
    package = json.loads(project.text(path))
    packages = package.get("devDependencies", package.get("dependencies"))
    return {f"node {name}": version for name, version in packages.items()}


def versions_of_python(*paths: str) -> dict[str, str]:
    pins = "".join(project.text(path) for path in paths)
    packages = re.findall(r"^([\w-]+)(?:\[\w+\])?==([\d.]+)", pins, re.M)
    return {f"python {name.lower()}": version for name, version in packages}


def check_npm_runs_no_script_at_installation():
    scripts = json.loads(project.text("package.json")).get("scripts", {})
    for name in ("preinstall", "install", "postinstall", "prepare", "prepublish"):
        if name in scripts:
            yield f"package.json: {name}"
    if "binding.gyp" in project.files():
        yield "binding.gyp makes older npm compile"
