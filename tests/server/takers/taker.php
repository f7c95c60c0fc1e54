<?php
// Takes ids with phpredis or with streams: php taker.php resp|http PORT... Its output: takers.py.
const TIMEOUT_S = 1;
const PAUSE_US = 10000;

/** The server gave a reason instead of ids. */
class Refused extends Exception
{
}

function redis_taker(int $port): callable
{
    $redis = new Redis();
    $redis->connect('127.0.0.1', $port, TIMEOUT_S, null, 0, TIMEOUT_S);
    $redis->setOption(Redis::OPT_MAX_RETRIES, 0);  // a connection that is lost stays lost
    return function () use ($redis): array {
        try {
            return $redis->rawCommand('POLYFLAKE.NEXT', 'orders', 10);
        } catch (RedisException $error) {
            throw preg_match('/^POLYFLAKE (\w+)/', $error->getMessage(), $code) ? new Refused($code[1]) : $error;
        }
    };
}

/** Each request has a connection of its own. */
function http_taker(int $port): callable
{
    $options = ['http' => ['method' => 'POST', 'timeout' => TIMEOUT_S, 'ignore_errors' => true]];
    $context = stream_context_create($options);
    return function () use ($port, $context): array {
        $body = @file_get_contents("http://127.0.0.1:$port/v1/ids/orders?n=10", false, $context);
        $answer = json_decode((string) $body, true);
        if (isset($answer['code'])) {
            throw new Refused($answer['code']);
        }
        if (!isset($answer['ids'])) {
            throw new RuntimeException('no whole answer');
        }
        echo "+\n";
        return $answer['ids'];
    };
}

[, $protocol] = $argv;
$ports = array_slice($argv, 2);
for ($turn = 0; ; ++$turn) {
    try {
        $port = (int) $ports[$turn % count($ports)];
        $take = $protocol === 'http' ? http_taker($port) : redis_taker($port);
        echo "+\n";
        while (true) {
            try {
                $ids = $take();
                echo '= ', implode(' ', $ids), "\n";
            } catch (Refused $refusal) {
                echo '! ', $refusal->getMessage(), "\n";
            }
            usleep(PAUSE_US);
        }
    } catch (RedisException | RuntimeException $error) {
        echo "-\n";
        usleep(PAUSE_US);
    }
}
