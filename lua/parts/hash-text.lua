-- Part of commit and snapshot: a hash as JSON, the same text for the same fields; of one too large for Sluice to have written
-- it only the size. Defines hashText.
local function hashText(key)
  local fields, most = redis.call("HLEN", key), 64
  if fields > most then return fields .. " fields" end
  local flat, parts = redis.call("HGETALL", key), {}
  for i = 1, #flat, 2 do parts[#parts + 1] = cjson.encode(flat[i]) .. ":" .. cjson.encode(flat[i + 1]) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end
