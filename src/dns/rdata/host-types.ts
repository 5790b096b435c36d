/** Record types of hosts, services and people. */
import { charString, charStrings, longString, tag } from "../fields/character-string.ts";
import { mailbox, name } from "../fields/domain-name.ts";
import type { Field } from "../fields/field.ts";
import { ilnp } from "../fields/identifiers.ts";
import { ipv4, ipv6 } from "../fields/ip-address.ts";
import { substitution } from "../fields/naptr.ts";
import { time, u8, u16, zoneSerial } from "../fields/number.ts";
import { serviceParameters } from "../fields/svcb.ts";
import { type RecordType, row, type TypeSource } from "./record-type.ts";

const preference = u16("preference", "the lowest is tried first");
const priority = u16("priority", "the lowest is tried first");
const strings = charStrings("strings", "the texts, joined without blanks by most readers");

/** BIND does not load a zone with one of these types. */
const notCreatable = { creatable: false };

function oneName(type: TypeSource, description: string, example: string, field: string, extras = {}): RecordType {
  return row(type, description, example, [name(field, description)], extras);
}

const serviceBinding: readonly Field[] = [
  u16("priority", "0 makes the record an alias; otherwise the lowest is tried first"),
  name("target", "the host of the service; a dot means the owner, or with priority 0 that there is no service"),
  serviceParameters("parameters", "the parameters of the service, each such as alpn=h2"),
];

export const hostTypes: readonly RecordType[] = [
  row(["A", "RFC 1035 §3.4.1"], "IPv4 address of a host", "192.0.2.1", [ipv4("address", "the host's address")]),
  oneName(["NS", "RFC 1035 §3.3.11"], "name server of a zone", "ns1.example.net.", "nsdname"),
  oneName(
    ["MD", "RFC 1035 §3.3.4"],
    "mail destination (obsolete: use MX)",
    "mail.example.net.",
    "madname",
    notCreatable,
  ),
  oneName(["MF", "RFC 1035 §3.3.5"], "mail forwarder (obsolete: use MX)", "mail.example.net.", "madname", notCreatable),
  oneName(["CNAME", "RFC 1035 §3.3.1"], "canonical name of an alias", "www.example.net.", "target"),
  row(
    ["SOA", "RFC 1035 §3.3.13"],
    "start of a zone",
    "ns1.example.net. hostmaster.example.net. 2026010101 7200 3600 1209600 3600",
    [
      name("mname", "the primary name server"),
      mailbox("rname", "the mailbox of the person responsible, its @ written as a dot"),
      zoneSerial("serial", "the version of the zone"),
      time("refresh", "how often a secondary checks for a new serial"),
      time("retry", "how soon a secondary tries again after a failure"),
      time("expire", "after how long without contact a secondary stops answering"),
      time("minimum", "how long a negative answer is cached (RFC 2308 §4)"),
    ],
  ),
  oneName(["MB", "RFC 1035 §3.3.3"], "host of a mailbox (experimental)", "mail.example.net.", "madname"),
  row(["MG", "RFC 1035 §3.3.6"], "member of a mail group (experimental)", "member.example.net.", [
    mailbox("mgmname", "the mailbox of the member"),
  ]),
  row(["MR", "RFC 1035 §3.3.8"], "new name of a mailbox (experimental)", "new.example.net.", [
    mailbox("newname", "the mailbox that replaces this one"),
  ]),
  oneName(["PTR", "RFC 1035 §3.3.12"], "name that belongs to an address", "host.example.net.", "ptrdname"),
  row(["HINFO", "RFC 1035 §3.3.2"], "machine and operating system of a host", '"PC" "Linux"', [
    charString("cpu", "the machine"),
    charString("os", "the operating system"),
  ]),
  row(
    ["MINFO", "RFC 1035 §3.3.7"],
    "mailboxes of a mailing list (experimental)",
    "owner.example.net. errors.example.net.",
    [mailbox("rmailbx", "the mailbox of the person responsible"), mailbox("emailbx", "the mailbox for errors")],
  ),
  row(["MX", "RFC 1035 §3.3.9"], "mail server of a domain", "10 mail.example.net.", [
    preference,
    name("exchange", "the mail server; a dot alone means that the domain has no mail server"),
  ]),
  row(["TXT", "RFC 1035 §3.3.14"], "text", '"v=spf1 mx -all"', [strings], { literal: true }),
  row(["RP", "RFC 1183 §2.2"], "person responsible for a name", "admin.example.net. about.example.net.", [
    mailbox("mbox", "the person's mailbox, its @ written as a dot"),
    name("txt", "the name of a TXT record about the person"),
  ]),
  row(["AFSDB", "RFC 1183 §1"], "AFS cell database server", "1 afs.example.net.", [
    u16("subtype", "1 is AFS version 3, 2 a DCE cell"),
    name("hostname", "the server"),
  ]),
  row(["RT", "RFC 1183 §3.3"], "host that relays to this one (experimental)", "10 relay.example.net.", [
    preference,
    name("host", "the relay"),
  ]),
  oneName(["NSAP-PTR", "RFC 1348"], "name that belongs to an NSAP address (obsolete)", "host.example.net.", "name"),
  row(["PX", "RFC 2163 §4"], "mapping between X.400 and RFC 822 mail", "10 example.net. PRMD-a.ADMD-b.C-de.", [
    preference,
    name("map822", "the RFC 822 side"),
    name("mapx400", "the X.400 side"),
  ]),
  row(["AAAA", "RFC 3596 §2.2"], "IPv6 address of a host", "2001:db8::1", [ipv6("address", "the host's address")]),
  row(["SRV", "RFC 2782"], "server of a service", "10 20 5060 sip.example.net.", [
    priority,
    u16("weight", "the share among equal priorities"),
    u16("port", "the port of the service"),
    name("target", "the server; a dot alone means that the service is not offered"),
  ]),
  row(["NAPTR", "RFC 3403 §4"], "rewriting rule", '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.', [
    u16("order", "the lowest is tried first"),
    u16("preference", "the lowest is tried first among equal orders"),
    charString("flagLetters", "the kind of result, such as S or U"),
    charString("services", "the services, such as SIP+D2U"),
    substitution("regexp", "the substitution, empty when there is a replacement"),
    name("replacement", "the next name, a dot when there is an expression"),
  ]),
  row(["KX", "RFC 2230 §3"], "key exchanger", "10 kx.example.net.", [preference, name("exchanger", "the host")]),
  oneName(["DNAME", "RFC 6672 §2.1"], "target of the aliases for all names below the owner", "example.net.", "target"),
  row(["NINFO", "IANA registry"], "status of a zone", '"text"', [strings]),
  row(
    ["TALINK", "IANA registry"],
    "links between trust anchors (obsolete)",
    "previous.example.net. next.example.net.",
    [name("previous", "the previous name"), name("next", "the next name")],
  ),
  row(["SVCB", "RFC 9460 §2"], "binding of a service", '1 svc.example.net. alpn="h2" port=8443', serviceBinding, {
    pairs: true,
  }),
  row(["HTTPS", "RFC 9460 §9"], "binding of a web service", '1 . alpn="h2,h3"', serviceBinding, {
    pairs: true,
  }),
  row(["SPF", "RFC 7208 §3.1"], "mail policy (obsolete: use TXT)", '"v=spf1 mx -all"', [strings], {
    literal: true,
  }),
  row(["NID", "RFC 6742 §2.1"], "ILNP node identifier", "10 0014:4fff:ff20:ee64", [
    preference,
    ilnp("nodeId", "the identifier"),
  ]),
  row(["L32", "RFC 6742 §2.2"], "ILNPv4 locator", "10 10.1.2.0", [preference, ipv4("locator", "the locator")]),
  row(["L64", "RFC 6742 §2.3"], "ILNPv6 locator", "10 2001:0db8:1140:1000", [
    preference,
    ilnp("locator", "the locator"),
  ]),
  row(["LP", "RFC 6742 §2.4"], "name of an ILNP subnetwork", "10 l64.example.net.", [
    preference,
    name("fqdn", "the name that holds the locators"),
  ]),
  row(["URI", "RFC 7553 §4"], "URI of a service", '10 1 "https://www.example.net/"', [
    priority,
    u16("weight", "the share among equal priorities"),
    longString("target", "the URI"),
  ]),
  row(["CAA", "RFC 8659 §4"], "certificate authorities that may issue", '0 issue "ca.example.net"', [
    u8("flags", "128 when an authority that does not know the property must not issue"),
    tag("tag", "the property: issue, issuewild, iodef, …"),
    longString("value", "the value of the property"),
  ]),
  row(["AVC", "IANA registry"], "application visibility and control (obsolete)", '"app-name:WOLFGANG"', [strings]),
  row(["RESINFO", "RFC 9606 §5"], "capabilities of a resolver", "qnamemin exterr=15,16,17", [strings]),
  row(["WALLET", "IANA registry"], "public wallet address", '"currency" "address"', [strings]),
];
