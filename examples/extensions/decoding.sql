-- What logical decoding gives to others.
-- Newer minor versions take only plugins that are listed.
SELECT set_config(name, 'pgoutput, test_decoding, wal2json, decoderbufs', false)
FROM pg_settings WHERE name = 'output_plugin_libraries' \g /dev/null

SELECT pg_create_logical_replication_slot('by_' || plugin, plugin)
FROM unnest(ARRAY['test_decoding', 'wal2json', 'decoderbufs']) plugin \g /dev/null
SET ROLE extensions_clerk;
INSERT INTO orders (customer, item) SELECT id, 'bread' FROM customers LIMIT 1 RETURNING id, customer \gset
RESET ROLE;

SELECT shows('test_decoding: ids as text, of the type gid',
             bool_or(data = format('table public.orders: INSERT: id[gid]:%L customer[gid]:%L item[text]:''bread''',
                                   :'id', :'customer')))
FROM pg_logical_slot_get_changes('by_test_decoding', NULL, NULL);

SELECT shows('wal2json: ids as text, of the type gid(o)',
             bool_or(data::jsonb -> 'columns' @> jsonb_build_array(
                 jsonb_build_object('name', 'id', 'type', 'gid(o)', 'value', :'id'),
                 jsonb_build_object('name', 'customer', 'type', 'gid(c)', 'value', :'customer'))))
FROM pg_logical_slot_get_changes('by_wal2json', NULL, NULL, 'format-version', '2');

-- It is in Protocol Buffers; strings stand there as they are.
SELECT shows('decoderbufs: ids as text, of the type gid(o)',
             bool_or(position(:'id'::bytea IN data) > 0 AND position(:'customer'::bytea IN data) > 0
                     AND position('gid(o)'::bytea IN data) > 0 AND position('gid(c)'::bytea IN data) > 0))
FROM pg_logical_slot_get_binary_changes('by_decoderbufs', NULL, NULL);

SELECT pg_drop_replication_slot('by_' || plugin)
FROM unnest(ARRAY['test_decoding', 'wal2json', 'decoderbufs']) plugin \g /dev/null
DELETE FROM orders WHERE id = :'id';
