-- Sends requests of one client after another: wrk … -- <network> <clients> <first>
local requests, at = {}, 0
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  local network, clients = args[1], tonumber(args[2])
  at, weighed = tonumber(args[3]), 0
  for i = 0, clients - 1 do
    local address = string.format("%s.%d.%d", network, math.floor(i / 250), i % 250 + 1)
    requests[i] = wrk.format(nil, nil, { ["x-forwarded-for"] = address })
  end
  requests.count = clients
end

function request()
  at = (at + 1) % requests.count
  return requests[at]
end

-- An answer without this header did not read the counters.
function response(_, headers)
  if headers["ratelimit"] then weighed = weighed + 1 end
end

function done(summary)
  local errors = summary.errors
  local weighed = 0
  for _, thread in ipairs(threads) do weighed = weighed + thread:get("weighed") end
  io.write(string.format('\n{"requests":%d,"denied":%d,"late":%d,"broken":%d,"weighed":%d,"micros":%d}\n',
    summary.requests, errors.status, errors.timeout, errors.connect + errors.read + errors.write, weighed,
    summary.duration))
end
