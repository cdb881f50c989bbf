# A Rack app behind the real rack-attack, set up as in S1's document: lists in Redis, and a ladder by address.
require "rack/attack"
require "redis"

redis = Redis.new(url: ENV.fetch("REDIS_URL"))

Rack::Attack.cache.store = redis
Rack::Attack.safelist("redis") { |request| redis.exists?("safelist:#{request.ip}") }
Rack::Attack.blocklist("redis") { |request| redis.exists?("blocklist:#{request.ip}") }
Rack::Attack.throttle("req/ip/1", limit: 5, period: 300) { |request| request.ip }
Rack::Attack.throttle("req/ip/2", limit: 8, period: 1800) { |request| request.ip }
# A rule that this app alone has.
Rack::Attack.throttle("logins/ip", limit: 3, period: 60) { |request| request.ip if request.path == "/login" }
Rack::Attack.throttled_responder = lambda do |request|
  [429, { "content-type" => "text/plain" }, [request.env["rack.attack.matched"]]]
end

use Rack::Attack
run ->(_env) { [200, { "content-type" => "text/plain" }, ["from Rails"]] }
