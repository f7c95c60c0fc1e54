<?php
// phpredis, driven by lines as client_programs.py says. It speaks RESP 2.
function answer(?Redis &$client, string $verb, array $words): array
{
    if ($verb === 'open') {
        $client = new Redis();
        $client->connect('127.0.0.1', (int) $words[0]);
        if (count($words) === 4) {
            $client->auth(array_slice($words, 2));
        }
        return ['phpredis', phpversion('redis')];
    }
    $key = $words[0];
    $count = (int) ($words[1] ?? 1);
    switch ($verb) {
        case 'incr':
            return [$client->incr($key)];
        case 'next':
            return [$client->rawCommand('POLYFLAKE.NEXT', $key)];
        case 'batch':
            return $client->rawCommand('POLYFLAKE.NEXT', $key, $count);
        case 'decode':
            return $client->rawCommand('POLYFLAKE.DECODE', $key);
    }
    $pipeline = $client->multi(Redis::PIPELINE);
    for ($i = 0; $i < $count; ++$i) {
        $verb === 'incrs' ? $pipeline->incr($key) : $pipeline->rawCommand('POLYFLAKE.NEXT', $key);
    }
    return $pipeline->exec();
}

$client = null;
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    $verb = array_shift($words);
    try {
        echo '= ' . implode(' ', answer($client, $verb, $words)) . "\n";
    } catch (RedisException $error) {
        echo '! ' . preg_replace('/\s+/', ' ', $error->getMessage()) . "\n";
    }
}
