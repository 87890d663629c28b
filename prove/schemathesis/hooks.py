"""Adapts requests to objects that the service has issued, which no schema can express, and records the responses.

Replaces a generated identifier by an existing one, so that requests meet objects. Values that schemathesis made invalid
deliberately stay unchanged.
"""
import atexit
import json
import os
import re

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation

ID = re.compile(r"^([a-z]{2,4})_[0-7][0-9a-hjkmnp-tv-z]{25}$")
# Codes that cannot be guessed: one operation issues them for others.
CODES = ("userCode", "deviceCode")
# The number of identifiers per kind: the first and the last ones are kept.
MOST = 12
# Operations that end or change an object. They must not use the first object of a kind or the calling member.
ENDS = re.compile("delete|revoke|remove|rotateKey")
CHANGES = re.compile("changeMember|updateEndpoint|submit|withdraw")
KEPT = 1

# The configuration names these objects; requests use no other objects of these kinds.
named = {
    "org": [os.environ[f"SLIPWAY_PROOF_{name}ORGANISATION"] for name in ("", "SUSPENDED_", "DELETED_", "SPARE_")],
    "app": [os.environ[f"SLIPWAY_PROOF_{name}APP"] for name in ("", "SPARE_")],
}
# The issued identifiers, by kind and by caller (operator or member); and the codes by name.
known: dict[tuple[bool, str], list[str]] = {}
codes: dict[str, list[str]] = {"userCode": os.environ["SLIPWAY_PROOF_USER_CODES"].split(","), "deviceCode": []}
# The latest version of each request for live access, because a change must name the version that was read.
versions: dict[str, int] = {}
ended: set[str] = set()
# The requests for live access for each step of an operator, because a request can be decided only once.
STEPS = {
    "approveLiveAccess": (0, 1),
    "suspendLiveAccess": (0,),
    "resumeLiveAccess": (0,),
    "revokeLiveAccess": (1,),
    "rejectLiveAccessRequest": (2,),
    "requestLiveAccessChanges": (3,),
}
kept = {os.environ["SLIPWAY_PROOF_MEMBER"]}
# Their responses contain identifiers of other apps, of deleted objects, or of examples.
OTHERS = re.compile("Audit|Unauthenticated|UpstreamFailures|Contract")
# The classes of each operation's responses, 2 for any 2xx.
answered: dict[str, set[int]] = {}
calls = 0


def existing(value, of_operators, name=""):
    """Returns the value with each unknown identifier replaced by an existing one of its kind."""
    if isinstance(value, dict):
        return {field: existing(inner, of_operators, field) for field, inner in value.items()}
    if isinstance(value, list):
        return [existing(inner, of_operators, name) for inner in value]
    if name in CODES:
        return codes[name][-1] if codes[name] else value
    match = ID.match(value) if isinstance(value, str) else None
    if not match:
        return value
    if match[1] in named:
        return value if value in named[match[1]] else named[match[1]][0]
    ids = known.get((of_operators, match[1]), [])
    return value if not ids or value in ids else ids[calls % len(ids)]


def take(value, of_operators, name=""):
    """Remembers the identifiers and codes of a response."""
    if isinstance(value, dict):
        if value.get("revokedAt") or value.get("state") in ("revoked", "expired", "erased"):
            forget(value.get("id"))
        if isinstance(value.get("id"), str) and isinstance(value.get("version"), int):
            versions[value["id"]] = value["version"]
        for field, inner in value.items():
            take(inner, of_operators, field)
    elif isinstance(value, list):
        for inner in value:
            take(inner, of_operators, name)
    elif name in CODES:
        codes[name].append(value)
    elif isinstance(value, str) and (match := ID.match(value)) and match[1] not in named and value not in ended:
        ids = known.setdefault((of_operators, match[1]), [])
        if value not in ids:
            ids.append(value)
            if len(ids) <= KEPT:
                kept.add(value)
            del ids[MOST // 2 : -MOST // 2]


def expendable(identifier):
    """Returns the identifier, another identifier of its kind that may be ended, or an unknown identifier."""
    if identifier not in kept:
        return identifier
    kind = ID.match(identifier)[1]
    others = [one for one in known.get((False, kind), []) if one not in kept]
    return others[-1] if others else f"{kind}_{0:026}"


def is_position(name, value):
    # A cursor is sealed for one list, filter and time; any other value gets 400. The audit log's cursor is a plain number.
    return name == "cursor" or (name == "after" and not str(value).isdigit())


def forget(identifier):
    ended.add(identifier)
    for ids in known.values():
        if identifier in ids:
            ids.remove(identifier)


def id_of(operation):
    return operation.definition.raw["operationId"]


def is_list(operation):
    return id_of(operation).startswith("list") and not OTHERS.search(id_of(operation))


def is_of_operators(operation):
    return operation.path.startswith("/api/operator/")


def is_management(operation):
    return operation.schema.raw_schema["info"]["title"] == "Slipway management API"


@schemathesis.hook
def after_load_schema(context, schema):
    """Reads every list that needs only the identifiers in the configuration."""
    for result in schema.get_all_operations():
        operation = result.ok()
        path = operation.path.replace("{organisationId}", named["org"][0]).replace("{appId}", named["app"][0])
        if operation.method == "get" and "{" not in path and is_list(operation) and is_management(operation):
            answer = requests.get(
                os.environ["SLIPWAY_PROOF_URL"] + path,
                cookies={"slipway_session": os.environ["SLIPWAY_PROOF_SESSION"]},
                timeout=20,
            )
            take(answer.json(), is_of_operators(operation))


def read_events():
    """Reads the events of /v1 until some are known. The tool lists them with filters, which can select none."""
    if (False, "evt") not in known:
        answer = requests.get(
            os.environ["SLIPWAY_PROOF_TARGET"] + "/v1/events",
            headers={"Authorization": "Bearer " + os.environ["SLIPWAY_PROOF_KEY"]},
            timeout=20,
        )
        take(answer.json(), False)


@schemathesis.hook
def before_call(context, case, kwargs):
    global calls
    calls += 1
    if case.meta is None:
        return
    operation = id_of(case.operation)
    if not is_management(case.operation):
        if operation == "getEvent" and not case.meta.is_negative_at(ParameterLocation.PATH):
            read_events()
            case.path_parameters = existing(case.path_parameters, False)
        return
    # A changed path is validated again by its schema, which contains the plain scope and not its percent-encoding.
    if isinstance((case.path_parameters or {}).get("scope"), str):
        case.path_parameters["scope"] = case.path_parameters["scope"].replace("%3A", ":")
    for place, container in (
        (ParameterLocation.PATH, "path_parameters"),
        (ParameterLocation.QUERY, "query"),
        (ParameterLocation.BODY, "body"),
    ):
        drawn = getattr(case, container)
        if isinstance(drawn, dict) and not case.meta.is_negative_at(place):
            sent = {name: value for name, value in drawn.items() if not is_position(name, value)}
            meant = existing(sent, is_of_operators(case.operation))
            if place == ParameterLocation.BODY and "version" in meant:
                request = (case.path_parameters or {}).get("liveAccessRequestId")
                meant["version"] = versions.get(request, meant["version"])
            if place == ParameterLocation.PATH:
                if submitted := operation in STEPS and known.get((True, "lar")):
                    meant["liveAccessRequestId"] = submitted[STEPS[operation][calls % len(STEPS[operation])]]
                if meant and (ENDS.match(operation) or CHANGES.match(operation)):
                    *_, last = meant
                    meant[last] = expendable(meant[last])
            if meant != drawn:
                setattr(case, container, meant)
    if not case.meta.is_negative_at(ParameterLocation.HEADER):
        (case.headers or {}).pop("Last-Event-ID", None)


@schemathesis.hook
def after_call(context, case, response):
    # A request with another method does not belong to the operation.
    if response.request.method != case.operation.method.upper():
        return
    operation = id_of(case.operation)
    answered.setdefault(operation, set()).add(response.status_code // 100)
    if response.status_code // 100 != 2:
        return
    path = list((case.path_parameters or {}).values())
    if path and ENDS.match(operation):
        forget(path[-1])
    elif re.match("(deny|approve)DeviceSignIn", operation):
        codes["userCode"].remove(case.body["userCode"])
    elif response.headers.get("content-type", [""])[0].startswith("application/json") and not OTHERS.search(operation):
        take(json.loads(response.content), is_of_operators(case.operation))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # schemathesis applies the schema of a stream to each event. In OpenAPI 3.1 it describes the whole text (3.2 has `itemSchema`).
    return failure.title != "SSE event violates schema"


@atexit.register
def tell():
    if path := os.environ.get("SLIPWAY_PROOF_ANSWERS"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({name: sorted(classes) for name, classes in answered.items()}, file)
