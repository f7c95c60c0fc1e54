module github.com/polyflake/polyflake/tests/bench/go

go 1.23

require (
	github.com/bwmarrin/snowflake v0.3.0
	github.com/sony/sonyflake/v2 v2.2.0
)
