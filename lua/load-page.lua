-- One page of what nodes hold copies of, with what is left of each key's life, and of some keys what they contain.
-- Runs on the control server, which is never a cluster: the keys are found here, not declared.
-- KEYS  none
-- ARGV  cursor, pattern, count, prefix of the keys whose contents are wanted
-- Reply {next cursor, {key, pttl, ...}, {key, pttl, contents, ...}}; pttl is -1 for a key that stays
local cursor, pattern, count, prefix = unpack(ARGV)

-- include: contents.lua

local function scan(kind, match)
  return redis.call("SCAN", cursor, "MATCH", match, "COUNT", count, "TYPE", kind)
end

-- Back to back, so that both walk the same buckets: a type costs less as a filter than as a question for each key.
local strings, hashes = scan("string", pattern), scan("hash", prefix .. "*")
local lives, wholes, initial = {}, {}, prefix:byte(1)

local function add(key, kind)
  local at = #wholes
  wholes[at + 1], wholes[at + 2], wholes[at + 3] = key, redis.call("PTTL", key), contents(key, kind)
end

for _, key in ipairs(strings[2]) do
  if key:byte(1) == initial and key:sub(1, #prefix) == prefix then
    add(key, "string")
  else
    local at = #lives
    lives[at + 1], lives[at + 2] = key, redis.call("PTTL", key)
  end
end
for _, key in ipairs(hashes[2]) do add(key, "hash") end
return {strings[1], lives, wholes}
