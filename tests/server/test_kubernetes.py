"""The manifests for Kubernetes: what the cluster's schemas say, and that their numbers are those of the server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import tomllib
import yaml
from polyflaked import run_polyflaked

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "deploy/kubernetes").glob("*.yaml"))
OLDEST = "1.27"  # of the versions of Kubernetes that they are checked for


def documents(file: Path) -> dict[str, dict[str, Any]]:
    """By their kind, of which each is there once."""
    found = list(yaml.safe_load_all(file.read_text("ascii")))
    by_kind = {one["kind"]: one for one in found}
    assert len(by_kind) == len(found)
    return by_kind


def workload(all_: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return (all_.get("Deployment") or all_["StatefulSet"])["spec"]


def container(all_: dict[str, dict[str, Any]]) -> dict[str, Any]:
    (one,) = workload(all_)["template"]["spec"]["containers"]
    return one


def configuration(all_: dict[str, dict[str, Any]]) -> str:
    return all_["Secret"]["stringData"]["server.toml"] if "Secret" in all_ else all_["ConfigMap"]["data"]["server.toml"]


def default_of(key: str) -> int:
    row = re.search(rf"^\| top of the file \| `{key}` \|[^|]*\| (\d+) \|", run_polyflaked("--config-help").stdout, re.M)
    assert row is not None
    return int(row[1])


def test_there_are_two() -> None:
    assert [file.name for file in FILES] == ["deployment.yaml", "statefulset.yaml"]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
class TestManifest:
    @pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
    def test_it_has_the_schemas_of_kubernetes(self, file: Path, version: str) -> None:
        for one in documents(file).values():
            kubernetes_validate.validate(one, version, strict=True)

    def test_its_configuration_is_right(self, file: Path, tmp_path: Path) -> None:
        text = tmp_path / "server.toml"
        text.write_text(configuration(documents(file)))
        done = run_polyflaked("--check-config", "--config", text)
        assert done.returncode == 0, done.stderr

    def test_ports_are_those_of_the_listeners(self, file: Path) -> None:
        all_ = documents(file)
        listeners = tomllib.loads(configuration(all_))["listener"]
        ports = {one["protocol"]: int(one["address"].rsplit(":", 1)[1]) for one in listeners}
        assert {one["name"]: one["containerPort"] for one in container(all_)["ports"]} == ports
        service = all_["Service"]["spec"]["ports"]
        assert {one["name"]: one["port"] for one in service} == ports
        assert all(one["targetPort"] == one["name"] for one in service)
        assert all(one["address"].startswith("0.0.0.0:") for one in listeners)
        scraped = workload(all_)["template"]["metadata"]["annotations"]
        assert (scraped["prometheus.io/port"], scraped["prometheus.io/path"]) == (str(ports["http"]), "/metrics")
        for probe, path in (("startupProbe", "/livez"), ("readinessProbe", "/readyz"), ("livenessProbe", "/livez")):
            assert container(all_)[probe]["httpGet"] == {"path": path, "port": "http"}

    def test_the_server_reads_the_file_that_is_mounted(self, file: Path) -> None:
        all_ = documents(file)
        (mount,) = container(all_)["volumeMounts"]
        assert container(all_)["args"] == ["--config", f"{mount['mountPath']}/server.toml"]
        (volume,) = workload(all_)["template"]["spec"]["volumes"]
        name = volume["secret"]["secretName"] if "secret" in volume else volume["configMap"]["name"]
        assert name == all_["Secret" if "secret" in volume else "ConfigMap"]["metadata"]["name"]
        assert mount["name"] == volume["name"]

    def test_pods_have_time_to_drain(self, file: Path) -> None:
        """And are taken out of the Service in half of that time."""
        all_ = documents(file)
        head = tomllib.loads(configuration(all_))
        drain_ms = head.get("drain_ms", default_of("drain_ms"))
        longest_ms = drain_ms + 2 * head.get("max_wait_ms", default_of("max_wait_ms")) + 500
        assert workload(all_)["template"]["spec"]["terminationGracePeriodSeconds"] * 1000 >= 2 * longest_ms
        probe = container(all_)["readinessProbe"]
        assert probe["periodSeconds"] * probe["failureThreshold"] * 1000 * 2 <= drain_ms

    def test_selectors_find_the_pods(self, file: Path) -> None:
        all_ = documents(file)
        labels = workload(all_)["template"]["metadata"]["labels"]
        assert labels == all_["Service"]["spec"]["selector"] == workload(all_)["selector"]["matchLabels"]
        assert labels == all_["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]
        (spread,) = workload(all_)["template"]["spec"]["topologySpreadConstraints"]
        assert labels == spread["labelSelector"]["matchLabels"]
        assert all_["PodDisruptionBudget"]["spec"]["maxUnavailable"] < workload(all_)["replicas"]

    def test_pods_have_no_privileges(self, file: Path) -> None:
        all_ = documents(file)
        pod = workload(all_)["template"]["spec"]
        assert pod["securityContext"] == {
            "runAsNonRoot": True,
            "runAsUser": 65532,
            "runAsGroup": 65532,
            "fsGroup": 65532,
            "seccompProfile": {"type": "RuntimeDefault"},
        }
        assert pod["automountServiceAccountToken"] is False
        assert container(all_)["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }

    def test_the_image_is_of_this_version(self, file: Path) -> None:
        version = re.search(r"^project\(polyflake VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"), re.M)
        assert version is not None
        assert container(documents(file))["image"] == f"polyflaked:{version[1]}"

    def test_memory_is_enough_for_what_may_be_pending(self, file: Path) -> None:
        limit = container(documents(file))["resources"]["limits"]["memory"]
        assert int(limit.removesuffix("Mi")) << 20 >= 2 * default_of("max_pending_bytes")


def test_only_the_stateful_set_has_numbers() -> None:
    workers = {file.stem: tomllib.loads(configuration(documents(file)))["generator"]["ids"]["worker"] for file in FILES}
    assert workers["deployment"].startswith("redis://")
    assert workers["statefulset"] == "ordinal"
