import { expect, it } from "vitest";
import { importRackAttack } from "./rack-attack.ts";
import { type ImportCase, summaryOf } from "./vitest.imports.ts";

/** Files as they are in apps and in the documentation of rack-attack. */
const cases: Readonly<Record<string, ImportCase>> = {
  "the readme of the library": {
    source: String.raw`
# config/initializers/rack_attack.rb (for rails apps)
Rack::Attack.throttle("requests by ip", limit: 5, period: 2) do |request|
  request.ip
end
Rack::Attack.throttle('limit logins per email', limit: 6, period: 60) do |req|
  if req.path == '/login' && req.post?
    # Normalize the email, using the same logic as your authentication process
    req.params['email'].to_s.downcase.gsub(/\s+/, "")
  end
end
limit_proc = proc { |req| req.env["REMOTE_USER"] == "admin" ? 100 : 1 }
period_proc = proc { |req| req.env["REMOTE_USER"] == "admin" ? 1 : 60 }
Rack::Attack.throttle('request per ip', limit: limit_proc, period: period_proc) do |request|
  request.ip
end
`,
    rules: [
      'requests-by-ip: fixed 5/2 "ip"',
      'limit-logins-per-email: fixed 6/60 {"code":"limit-logins-per-email"}',
    ],
    notes: [
      "6: The block of throttle 'limit logins per email' is code: if req.path == '/login' && req.post? req.params['email'].to_s.downcase.gsub(/...",
      "14: limit of throttle 'request per ip' is limit_proc, which is no number in this file: no rule was made.",
      "14: period of throttle 'request per ip' is period_proc, which is no number in this file: no rule was made.",
    ],
  },
  "the example configuration": {
    source: `
class Rack::Attack
  ### Configure Cache ###
  # Rack::Attack.cache.store = ActiveSupport::Cache::MemoryStore.new
  ### Throttle Spammy Clients ###
  throttle('req/ip', limit: 300, period: 5.minutes) do |req|
    req.ip # unless req.path.start_with?('/assets')
  end
  ### Prevent Brute-Force Login Attacks ###
  throttle('logins/ip', limit: 5, period: 20.seconds) do |req|
    if req.path == '/login' && req.post?
      req.ip
    end
  end
  # self.throttled_responder = lambda do |env|
  #  [ 503,  # status
  #    {},   # headers
  #    ['']] # body
  # end
end
`,
    rules: [
      'req/ip: fixed 300/300 "ip"',
      'logins/ip: fixed 5/20 "ip" {"match":{"only":["/login"],"methods":["POST"]}}',
    ],
    notes: ["10: The rule also counts what lies below /login."],
  },
  "lists of addresses": {
    source: `
Rack::Attack.safelist_ip("5.6.7.8")
Rack::Attack.safelist_ip("5.6.7.0/24")
Rack::Attack.blocklist_ip("1.2.3.4")
Rack::Attack.blocklist_ip ENV["BAD"]
Rack::Attack.safelist("allow from localhost") do |req|
  '127.0.0.1' == req.ip || '::1' == req.ip
end
Rack::Attack.safelist('office') { |r| ["192.0.2.1", "192.0.2.2"].include?(r.ip) }
`,
    rules: [],
    notes: [
      '2: safelist_ip "5.6.7.8": addresses are no part of a policy.',
      '3: safelist_ip "5.6.7.0/24": addresses are no part of a policy.',
      '4: blocklist_ip "1.2.3.4": addresses are no part of a policy.',
      '5: blocklist_ip ENV["BAD"] is code: addresses are no part of a policy.',
      '6: safelist "allow from localhost": addresses are no part of a policy.',
      "9: safelist 'office': addresses are no part of a policy.",
    ],
  },
  "lists by code": {
    source: `
Rack::Attack.safelist("mark any authenticated access safe") do |request|
  request.env["HTTP_APIKEY"] == "secret-string"
end
Rack::Attack.safelist("assets") { |req| req.path.start_with?("/assets/", "/packs") }
Rack::Attack.blocklist("block all access to admin") do |request|
  request.path.start_with?("/admin")
end
Rack::Attack.blocklist("bad UA") { |req| req.user_agent =~ /#{bad}/i }
`,
    rules: [],
    notes: [
      '2: safelist "mark any authenticated access safe" decides by code: req.env["HTTP_APIKEY"] == "secret-string"',
      '5: safelist "assets" lets paths pass: /assets, /packs. The rules count them.',
      '6: blocklist "block all access to admin" decides by code: req.path.start_with?("/admin")',
      '9: blocklist "bad UA" decides by code: req.user_agent =~ /#{bad}/i',
    ],
  },
  "Fail2Ban and Allow2Ban": {
    source: `
Rack::Attack.blocklist("fail2ban pentesters") do |req|
  # filter returns truthy value if request fails, or if it's from a previously banned IP
  Rack::Attack::Fail2Ban.filter("pentesters-#{req.ip}", maxretry: 3, findtime: 10.minutes, bantime: 5.minutes) do
    # The count for the IP is incremented if the return value is truthy
    CGI.unescape(req.query_string) =~ %r{/etc/passwd} ||
    req.path.include?("/etc/passwd") ||
    req.path.include?("wp-admin")
  end
end
Rack::Attack.blocklist("allow2ban login scrapers") do |req|
  Rack::Attack::Allow2Ban.filter(req.ip, maxretry: 20, findtime: 1.minute, bantime: 1.hour) do
    # The count for the IP is incremented if the return value is truthy.
    req.path == "/login" and req.post?
  end
end
BAN = 24.hours
Rack::Attack.blocklist("scanners") { |req| Rack::Attack::Fail2Ban.filter(req.ip, maxretry: 1, findtime: 60, bantime: BAN) { req.path.start_with?("/wp-admin", "/.env") } }
Rack::Attack.blocklist("later") { |req| Rack::Attack::Fail2Ban.filter(req.ip, maxretry: config.most, findtime: 60, bantime: 1) { req.get? } }
`,
    rules: [
      'fail2ban-pentesters: fixed 3/600 {"all":["ip",{"code":"fail2ban-pentesters"}]} {"ban":{"after":1,"withinSeconds":600,"forSeconds":300,"capSeconds":300}}',
      'allow2ban-login-scrapers: fixed 20/60 "ip" {"ban":{"after":1,"withinSeconds":60,"forSeconds":3600,"capSeconds":3600},"match":{"only":["/login"],"methods":["POST"]}}',
      'scanners: fixed 1/60 "ip" {"ban":{"after":1,"withinSeconds":60,"forSeconds":86400,"capSeconds":86400},"match":{"only":["/wp-admin","/.env"]}}',
    ],
    notes: [
      '2: The condition of blocklist "fail2ban pentesters" is code: CGI.unescape(req.query_string) =~ %r{/etc/passwd} || req.path.include?("/etc/...',
      '2: blocklist "fail2ban pentesters" denies each matching request at once; the rule lets 3 pass, then denies and bans.',
      '11: blocklist "allow2ban login scrapers" bans with request 20; the rule lets 20 pass, and bans with the next one.',
      '18: blocklist "scanners" denies each matching request at once; the rule lets 1 pass, then denies and bans.',
      '19: blocklist "later": maxretry, findtime and bantime are no numbers in this file: no rule was made.',
    ],
  },
  conditions: {
    source: String.raw`
class Rack::Attack
  throttle("a", limit: 1, period: 1.hour) { |req| req.ip unless req.path.start_with?("/assets") }
  throttle("b", limit: 1, period: 1.hour) { |req| req.path == "/b" ? req.ip : nil }
  throttle("c", limit: 1, period: 1.hour) { |req| req.ip if ["/c", "/d"].include?(req.path) && (req.post? || req.put?) }
  throttle("d", limit: 1, period: 1.hour) { |req| req.post? && req.path == '/d' && req.ip }
  throttle("e", limit: 1, period: 1.hour) { |req| req.ip if req.path =~ %r{\A/e/\d+} }
  throttle("f", limit: 1, period: 1.hour) { |req| req.ip if req.path == "/f" || req.post? }
  throttle("g", limit: 1, period: 1.hour) { |req| req.ip if !req.path.start_with?("/g") && req.request_method == "DELETE" }
  throttle("h", limit: 1, period: 1.hour) { |req| req.ip if %w[/h /i].include?(req.path) }
end
`,
    rules: [
      'a: fixed 1/3600 "ip" {"match":{"except":["/assets"]}}',
      'b: fixed 1/3600 "ip" {"match":{"only":["/b"]}}',
      'c: fixed 1/3600 "ip" {"match":{"only":["/c","/d"],"methods":["POST","PUT"]}}',
      'd: fixed 1/3600 "ip" {"match":{"methods":["POST"],"only":["/d"]}}',
      'e: fixed 1/3600 {"code":"e"}',
      'f: fixed 1/3600 {"code":"f"}',
      'g: fixed 1/3600 "ip" {"match":{"except":["/g"],"methods":["DELETE"]}}',
      'h: fixed 1/3600 "ip" {"match":{"only":["/h","/i"]}}',
    ],
    notes: [
      "4: The rule also counts what lies below /b.",
      "6: The rule also counts what lies below /d.",
      '7: The block of throttle "e" is code: req.ip if req.path =~ %r{\\A/e/\\d+}',
      '8: The block of throttle "f" is code: req.ip if req.path == "/f" || req.post?',
    ],
  },
  "old spelling": {
    source: String.raw`
Rack::Attack.throttle("req/ip", :limit => 300, :period => 5 * 60) { |r| r.ip }
Rack::Attack.whitelist("me") { |req| "10.0.0.1" == req.ip }
Rack::Attack.blacklist("them") { |req| req.ip == "10.0.0.2" }
Rack::Attack.throttled_response = lambda { |env| [429, {}, ["slow down\n"]] }
`,
    rules: ['req/ip: fixed 300/300 "ip"'],
    notes: [
      '3: whitelist "me": addresses are no part of a policy.',
      '4: blacklist "them": addresses are no part of a policy.',
      "5: throttled_response is code.",
    ],
  },
  keys: {
    source: `
throttle("token", limit: 60, period: 1.minute) { |req| req.get_header("HTTP_AUTHORIZATION") if req.path.start_with?("/api") }
throttle("session", limit: 60, period: 1.minute) { |req| req.cookies["_app_session"] }
throttle("user", limit: 60, period: 1.minute) { |req| req.env["warden"].user&.id }
throttle("real", limit: 60, period: 1.minute, &:ip)
`,
    rules: [
      'token: fixed 60/60 {"header":"authorization"} {"match":{"only":["/api"]}}',
      'session: fixed 60/60 {"cookie":"_app_session"}',
      'user: fixed 60/60 {"code":"user"}',
    ],
    notes: [
      "2: start_with? compares letters, a rule whole parts of the path: /apix is not counted.",
      '4: The block of throttle "user" is code: req.env["warden"].user&.id',
      '5: throttle "real" has no block here: no rule was made.',
    ],
  },
  "levels in a loop": {
    source: `
(1..5).each do |level|
  throttle("logins/ip/#{level}", limit: (20 * level), period: (8 ** level).seconds) do |req|
    req.ip if req.path == '/login' && req.post?
  end
end
`,
    rules: [],
    notes: [
      '3: limit of throttle "logins/ip/#{level}" is (20 * level), which is no number in this file: no rule was made.',
      '3: period of throttle "logins/ip/#{level}" is (8 ** level).seconds, which is no number in this file: no rule was made.',
    ],
  },
  "constants and arithmetic": {
    source: `
REQUESTS = 1_000
WINDOW = 2 * 60.minutes
Rack::Attack.throttle(:api, limit: REQUESTS, period: WINDOW) do |req| req.ip; end
Rack::Attack.throttle("env", limit: ENV.fetch("LIMIT", 5).to_i, period: 60) { |req| req.ip }
`,
    rules: ['api: fixed 1000/7200 "ip"'],
    notes: [
      '5: limit of throttle "env" is ENV.fetch("LIMIT", 5).to_i, which is no number in this file: no rule was made.',
    ],
  },
  "a block of several lines": {
    source: `
Rack::Attack.throttle("password resets", limit: 3, period: 1.day) do |req|
  case req.path
  when "/passwords" then req.ip if req.post?
  else
    nil
  end
end
=begin
Rack::Attack.throttle("commented", limit: 3, period: 1.day) { |req| req.ip }
=end
Rack::Attack.throttle("after", limit: 3, period: 1.day) do |req|
  next if req.env["x"]
  req.ip
end
Rack::Attack.track("special_agent", limit: 6, period: 60) { |req| req.ip if req.user_agent == "SpecialAgent" }
`,
    rules: [
      'password-resets: fixed 3/86400 {"code":"password-resets"}',
      'after: fixed 3/86400 {"code":"after"}',
    ],
    notes: [
      '2: The block of throttle "password resets" is code: case req.path when "/passwords" then req.ip if req.post? else nil end',
      '12: The block of throttle "after" is code: next if req.env["x"] req.ip',
      '16: track "special_agent" only watches.',
    ],
  },
  responders: {
    source: String.raw`
Rack::Attack.throttled_responder = lambda do |request|
  match_data = request.env["rack.attack.match_data"]
  [429, { "Content-Type" => "text/plain" }, ["Retry later\n"]]
end
Rack::Attack.blocklisted_responder = ->(req) { [503, {}, ["Blocked"]] }
Rack::Attack.throttle("x", limit: 0, period: 60) { |req| req.ip }
`,
    rules: [],
    notes: [
      "2: throttled_responder is code.",
      "6: blocklisted_responder is code.",
      "7: No rule has a limit of 0.",
    ],
  },
  nothing: {
    source: `Rails.application.configure { config.middleware.use Rack::Attack }`,
    rules: [],
    notes: [],
  },
};

it.each(Object.entries(cases))("%s", (_, { source, ...expected }) => {
  expect(summaryOf(importRackAttack(source))).toEqual(expected);
});

it("says which commands put addresses on the lists", () => {
  const source =
    'Rack::Attack.safelist("office") { |req| req.ip == "192.0.2.1" }\nRack::Attack.blocklist_ip("1.2.3.4")';
  expect(importRackAttack(source).notes.map(({ instead }) => instead)).toEqual([
    "Run: sluice safelist add 192.0.2.1 --ttl never",
    "Run: sluice block add 1.2.3.4 --ttl never",
  ]);
});

it("reads any text without failing", () => {
  const { source = "" } = cases["Fail2Ban and Allow2Ban"] ?? {};
  for (let end = 0; end < source.length; end += 7) importRackAttack(source.slice(0, end));
  for (let from = 0; from < source.length; from += 7) importRackAttack(source.slice(from));
});
