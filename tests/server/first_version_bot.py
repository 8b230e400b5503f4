"""The bot that the API's first version documented, as printed then."""

# mypy: ignore-errors
import random
import sys
import uuid

import httpx

server, table = sys.argv[1:]
http = httpx.Client(base_url=server, timeout=60)
token = http.post("/api/tokens", json={"name": "Random bot"}).json()["token"]
http.headers["Authorization"] = f"Bearer {token}"


def command(**what):
    return http.post(f"/api/tables/{table}/commands", json={"id": str(uuid.uuid4()), **what}).json()


command(type="join")
number = -1
while True:
    news = http.get(f"/api/tables/{table}/news", params={"after": number, "wait": 25}).raise_for_status().json()
    seen = news["table"]
    number = seen["number"]
    if seen["status"] == "over":
        print("Winners:", seen["result"]["winners"], "I was", seen["you"])
        break
    if seen["legal"]:
        answer = command(type="move", decision=seen["decision"], moves=[random.choice(seen["legal"])])
        if answer["type"] == "refused":
            print(answer["words"])
