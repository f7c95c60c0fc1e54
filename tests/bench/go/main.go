// What an id costs in the Go libraries that people use, beside time.Now().UnixMilli() in the same run. There is no
// Polyflake for Go: all rows are peers, to be read beside ours in the other languages.
//
// Two groups. "peers": one call, paired with the floor (measure.go). "saturated": as fast as it goes, every id kept and
// compared (saturate.go). Beside the pairing, testing.Benchmark takes the same chunks and gives tool_ns.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

type report struct {
	Language string `json:"language"`
	Runtime  string `json:"runtime"`
	Rows     []any  `json:"rows"`
}

func main() {
	path := flag.String("json", "", "write the figures to this `file` too")
	quick := flag.Bool("quick", false, "few rounds, short saturations: whether all still works")
	flag.Parse()
	testing.Init() // testing.Benchmark reads the flags of `go test`; they are not ours

	rounds, warm, span := 121, 300*time.Millisecond, time.Second
	if *quick {
		rounds, warm, span = 7, 20*time.Millisecond, 100*time.Millisecond
	}
	all := peers()
	result := report{Language: "go", Runtime: runtime.Version()}

	fmt.Printf("%-22s %-34s %8s %8s %6s  %-14s %8s\n", "one call", "", "ns", "floor", "x", "quartiles", "testing")
	for _, row := range pairedRows(all, rounds, warm) {
		fmt.Printf("%-22s %-34s %8.1f %8.1f %6.2f  %.2f to %.2f   %8.1f\n",
			row.Library, row.Name, row.Ns, row.FloorNs, row.Ratio, row.Quartiles[0], row.Quartiles[1], row.ToolNs)
		result.Rows = append(result.Rows, row)
	}
	fmt.Printf("\n%-22s %-34s %7s %9s %10s %8s %6s %6s %9s\n",
		"saturated", "", "threads", "ids", "duplicates", "share", "ahead", "stale", "CPU s/M")
	for _, threads := range []int{1, 2} {
		for _, peer := range all {
			row := saturated(peer, threads, span)
			fmt.Printf("%-22s %-34s %7d %9d %10d %8.4f %6d %6d %9.3f\n", row.Library, row.Name, row.Threads, row.Ids,
				row.Duplicates, row.Share, row.AheadMs, row.StaleMs, row.CPUSecondsPerMillion)
			result.Rows = append(result.Rows, row)
		}
	}
	if *path != "" {
		text, err := json.MarshalIndent(result, "", "  ")
		if err == nil {
			err = os.WriteFile(*path, append(text, '\n'), 0o644)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
