"""One table of the figures that the benchmarks of all languages wrote:  python3 bench_table.py FOLDER"""

import json
import sys
from pathlib import Path

ORDER = ("cpp", "python", "node", "java")


def report_of(folder, language):
    return {**json.loads((folder / f"{language}.json").read_text()), "language": language}


def main(folder):
    reports = [report_of(folder, language) for language in ORDER]
    print("\n  work beside its floor, in ns; x: how many floors it costs, median and quartiles\n")
    print(f"  {'language':<9} {'work':<22} {'ns':>9}  {'floor':<38} {'ns':>9}  {'x':>6}  quartiles")
    for report in reports:
        for row in report["rows"]:
            if "ratio" in row:
                low, high = row["quartiles"]
                print(f"  {report['language']:<9} {row['name']:<22} {row['ns']:>9.1f}  {row['floor']:<38} "
                      f"{row['floor_ns']:>9.1f}  {row['ratio']:>6.2f}  {low:.2f} to {high:.2f}")
    print("\n  saturated: 4096 ids a millisecond are the ceiling of the default layout; every id is compared\n")
    print(f"  {'language':<9} {'ids':>9} {'duplicates':>10}  {'of the ceiling, by ids':>22} {'by the clock':>12}  "
          f"{'CPU s per million':>17}")
    for report in reports:
        for row in report["rows"]:
            if "share_of_ceiling_by_ids" in row:
                print(f"  {report['language']:<9} {row['ids']:>9} {row['duplicates']:>10}  "
                      f"{row['share_of_ceiling_by_ids']:>22.2%} {row['share_of_ceiling_by_clock']:>12.2%}  "
                      f"{row['cpu_seconds_per_million']:>17.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
