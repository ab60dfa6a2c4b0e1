<?php

// gid from PDO: ids as strings, lists and arrays of them, times compared with ids,
// COPY, and what takes the place of lastInsertId().

declare(strict_types=1);

function shows(string $what, bool $holds): void
{
    echo $holds ? 'ok' : 'not ok', " - $what\n";
}

// The statement, run with these parameters.
function query(string $query, mixed ...$parameters): PDOStatement
{
    global $db;
    $statement = $db->prepare($query);
    $statement->execute($parameters);
    return $statement;
}

// The one value that a query returns.
function value(string $query, mixed ...$parameters): mixed
{
    return query($query, ...$parameters)->fetchColumn();
}

// The error that something ends in, if any.
function error(callable $try): ?PDOException
{
    try {
        $try();
    } catch (PDOException $e) {
        return $e;
    }
    return null;
}

// An array as PostgreSQL reads it.  No character of an id needs quoting there.
function gids(array $ids): string
{
    return '{' . implode(',', $ids) . '}';
}

// libpq's variables say where the server is.
$db = new PDO('pgsql:');
$db->exec("
    CREATE EXTENSION gid;
    CREATE TABLE customers (id gid(c) PRIMARY KEY DEFAULT gid_new('c'), name text NOT NULL);
    CREATE TABLE orders (
        id       gid(o) PRIMARY KEY DEFAULT gid_new('o'),
        customer gid(c) REFERENCES customers,
        item     text NOT NULL
    );
    CREATE TABLE copies (id gid(o), item text);
");

// An id is a string.  What execute() is given is sent without a type, so it is
// an id compared with an id.
$insert = 'INSERT INTO orders (item) VALUES (?) RETURNING id';
$tea = value($insert, 'tea');
$milk = value($insert, 'milk');
shows('an id by default, and returned as a string', strlen($tea) === 24);
shows('strings sort as ids', $tea < $milk);
shows('an id as a parameter', value('SELECT item FROM orders WHERE id = ?', $tea) === 'tea');
shows('a named one', value('SELECT item FROM orders WHERE id = :id', ...['id' => $milk]) === 'milk');
shows('a cast of one', value('SELECT gid_kind(:id::gid)', ...['id' => $milk]) === 'o');
$row = query('SELECT * FROM orders WHERE id = ?', $milk)->fetch(PDO::FETCH_ASSOC);
shows('an id in a row, and none', $row === ['id' => $milk, 'customer' => null, 'item' => 'milk']);
$items = query('SELECT id, item FROM orders')->fetchAll(PDO::FETCH_KEY_PAIR);
shows('ids as keys', $items[$milk] === 'milk');

// A list is an array that is written as text, or as many parameters as it has.
$ids = [$tea, $milk];
shows('a list of ids', value('SELECT count(*) FROM orders WHERE id = ANY (?)', gids($ids)) === 2);
shows('an empty one', value('SELECT count(*) FROM orders WHERE id = ANY (?)', gids([])) === 0);
$marks = implode(', ', array_fill(0, count($ids), '?'));
shows('a list for IN', value("SELECT count(*) FROM orders WHERE id IN ($marks)", ...$ids) === 2);

// An array in results is a string, which JSON reads.
shows('an array in results is a string', value('SELECT array_agg(id ORDER BY id) FROM orders') === gids($ids));
shows('JSON makes it one', json_decode(value('SELECT json_agg(id ORDER BY id) FROM orders')) === $ids);

// Compared with an id, what has no type is an id.  A time says that it is none.
$hourAgo = (new DateTimeImmutable('-1 hour'))->format(DATE_RFC3339_EXTENDED);
$since = 'SELECT count(*) FROM orders WHERE id >= ?::timestamptz';
shows('a range of time', value($since, $hourAgo) === 2);
$db->exec('SET enable_seqscan = off; SET enable_bitmapscan = off');
$plan = query("EXPLAIN $since", $hourAgo)->fetchAll(PDO::FETCH_COLUMN);
shows('is a range of the index', str_contains(implode("\n", $plan), 'Index Cond: (id >= '));
$refused = error(fn() => value('SELECT count(*) FROM orders WHERE id >= ?', $hourAgo));
preg_match('/HINT:  (.*)/', $refused->getMessage(), $hint);
shows("a time without its type is rejected: $hint[1]", $refused->getCode() === '22P02' && str_contains($hint[1], 'timestamptz'));
$at = new DateTimeImmutable(value('SELECT gid_timestamp(?)', $tea));
shows('the time of an id', abs(time() - $at->getTimestamp()) < 3600);

// What is wrong is said.
$refused = error(fn() => query("INSERT INTO orders (customer, item) VALUES (?, 'an order is no customer')", $tea));
preg_match('/ERROR:  (.*)/', $refused->getMessage(), $message);
shows("a wrong kind is rejected: $message[1]", $refused->getCode() === '22023');

// What not to do: lastInsertId(), which knows of sequences only.  It is the
// last value of any of them, whatever table that was for.
$refused = error(fn() => $db->lastInsertId());
shows('lastInsertId() has none', $refused?->getCode() === '55000');
$db->exec('CREATE TABLE log (number serial, entry text)');
query('INSERT INTO log (entry) VALUES (?)', 'an order');
$bread = value($insert, 'bread');
shows('lastInsertId() can be that of another table, ' . $db->lastInsertId(), $db->lastInsertId() === '1');

// Emulated prepares write literals in place of parameters: the same.
$db->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
shows('with emulated prepares', value('SELECT item FROM orders WHERE id = ?', $bread) === 'bread' && value($since, $hourAgo) === 3);
$db->setAttribute(PDO::ATTR_EMULATE_PREPARES, false);

// COPY, in text; no character of an id is quoted there.
$db->pgsqlCopyFromArray('copies', array_map(fn($id) => "$id\tcopied", $ids));
$copied = array_map(fn($line) => explode("\t", rtrim($line)), $db->pgsqlCopyToArray('copies'));
shows('COPY in and out', $copied === [[$tea, 'copied'], [$milk, 'copied']]);

// The 16 bytes, by bytea: a stream in results, PARAM_LOB as a parameter.
$bytes = stream_get_contents(value('SELECT ?::gid::bytea', $tea));
$byBytes = $db->prepare('SELECT item FROM orders WHERE id = ?::gid');
$byBytes->bindValue(1, $bytes, PDO::PARAM_LOB);
$byBytes->execute();
shows('16 bytes', strlen($bytes) === 16 && $byBytes->fetchColumn() === 'tea');
