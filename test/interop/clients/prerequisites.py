"""Sends updates with one prerequisite each by dnspython's update module; JSON in, a list of rcodes out."""
import json
import sys

import dns.query
import dns.rcode
import dns.tsigkeyring
import dns.update

asked = json.load(sys.stdin)
keyring = dns.tsigkeyring.from_text({asked["key"]: asked["secret"]})
rcodes = []
for at, (verb, name, *rest) in enumerate(asked["prerequisites"]):
    update = dns.update.Update(asked["zone"], keyring=keyring, keyalgorithm="hmac-sha256")
    (update.present if verb == "present" else update.absent)(name, *rest)
    update.replace("made", 300, "TXT", '"%d"' % at)
    send = dns.query.udp if at % 2 == 0 else dns.query.tcp
    rcodes.append(dns.rcode.to_text(send(update, "127.0.0.1", port=asked["port"], timeout=10).rcode()))
print(json.dumps(rcodes))
