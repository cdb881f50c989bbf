-- Part of commit and snapshot: what a hash holds as JSON, the same text for the same fields; of one too large to be ours
-- only its size.
local function hashText(key)
  local fields, most = redis.call("HLEN", key), 64
  if fields > most then return fields .. " fields" end
  local flat, parts = redis.call("HGETALL", key), {}
  for i = 1, #flat, 2 do parts[#parts + 1] = cjson.encode(flat[i]) .. ":" .. cjson.encode(flat[i + 1]) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end
