"""Runs the fuzz targets:  python3 run.py TREE CORPUS SECONDS [TARGET ...]

TREE is the build tree of the preset `asan`. Every target runs for SECONDS, as many at a time as there are cores, from
the seeds and from the inputs that earlier runs kept in CORPUS, a folder for each target, which is made if it is
missing. An input that breaks a property stays in TREE/findings. The last line counts the targets.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
LONGEST_INPUT = 2048
DICTIONARIES = {
    "layout_text": "layout_text.dict",
    "worker_source": "worker.dict",
    "worker_environment": "worker.dict",
    "node_file": "node_file.dict",
    "codec": "codec.dict",
    "seal": "codec.dict",
    "server_configuration": "server_configuration.dict",
    "server_http": "http.dict",
}


def command(tree, corpora, target, seconds):
    corpus, findings = corpora / target, tree / "findings" / target
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    words = [tree / "tests/fuzz" / f"fuzz_{target}", corpus, tree / "tests/fuzz/seeds" / target]
    words += [f"-max_total_time={seconds}", f"-max_len={LONGEST_INPUT}", f"-artifact_prefix={findings}/"]
    words += ["-timeout=10", "-print_final_stats=1", "-verbosity=1"]
    if target in DICTIONARIES:
        words.append(f"-dict={HERE / DICTIONARIES[target]}")
    return [str(word) for word in words]


def run(tree, corpora, target, seconds):
    """None when nothing was found; what there is to say, in any case."""
    environment = {
        "ASAN_OPTIONS": "detect_leaks=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
        **os.environ,
    }
    done = subprocess.run(
        command(tree, corpora, target, seconds),
        capture_output=True,
        text=True,
        errors="replace",
        env=environment,
        check=False,
    )
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    if done.returncode == 0 and runs:
        print(f"ok      {target}: {int(runs[1]):,} inputs, {covered[-1] if covered else 0} edges", flush=True)
        return True
    print(f"FAILED  {target}: exit code {done.returncode}", flush=True)
    print("\n".join("        " + line for line in done.stderr.splitlines()[-60:]), flush=True)
    return False


def main(tree, corpora, seconds, targets):
    built = sorted(path.name.removeprefix("fuzz_") for path in (tree / "tests/fuzz").glob("fuzz_*") if path.is_file())
    targets = targets or built
    if not targets or set(targets) - set(built):
        sys.exit(f"the targets are: {' '.join(built) or 'none, they are not built'}")
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as workers:
        good = list(workers.map(lambda target: run(tree, corpora, target, seconds), targets))
    print(f"{good.count(True)} passed, {good.count(False)} failed")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]))
