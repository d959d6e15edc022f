"""Makes the samples of mem0 and of Qdrant's local mode, in the folder that it is called in.

Needs mem0ai 2.2.1 and qdrant-client 1.20.0 (Python 3.11). No model is asked: the words are kept as they are.
"""

import collections
import datetime
import json
import os
import pickle
import shutil

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["OPENAI_API_KEY"] = "none"

from mem0 import Memory
from mem0.embeddings.mock import MockEmbeddings
from mem0.utils.factory import EmbedderFactory, LlmFactory
from qdrant_client import models


class Embedder(MockEmbeddings):
    def __init__(self):
        pass


EmbedderFactory.create = classmethod(lambda *args, **kwargs: Embedder())
LlmFactory.create = classmethod(lambda *args, **kwargs: None)


def make_memories():
    shutil.rmtree("qdrant-local", ignore_errors=True)
    if os.path.exists("mem0-history.db"):
        os.remove("mem0-history.db")
    store = {"path": "qdrant-local", "collection_name": "memories", "on_disk": True, "embedding_model_dims": 10}
    memory = Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": store},
            "embedder": {"provider": "openai", "config": {"embedding_dims": 10}},
            "history_db_path": "mem0-history.db",
        }
    )

    def add(text, **metadata):
        return memory.add(text, user_id="mia", infer=False, metadata=metadata)["results"][0]["id"]

    tea = add("Mia drinks tea in the morning", source="extracted", confidence=0.92, tags=["drink", "morning"])
    add("Mia lives in Porto", source="explicit", valid_until="2027-01-01T00:00:00+00:00")
    add("Mia was at the fair of 2019", source="migration", project="atlas", confidence=1.4)
    add("Mia has a blue bicycle")
    cat = add("Mia has a cat", source="extracted", valid_until="2027-01-01")
    memory.add("The desk agent answers in Portuguese", agent_id="desk", infer=False)
    memory.update(tea, "Mia drinks coffee in the morning")
    memory.delete(cat)
    with open("mem0-export.json", "w") as file:
        json.dump(memory.get_all(filters={"user_id": "mia"}, top_k=100), file, indent=1)

    episode = {
        "user_id": "mia",
        "source": "episode",
        "goal": "Mend the bicycle",
        "context": "In the garden",
        "approach": "New tyre",
        "outcome": "It rides again",
        "outcome_quality": "good",
        "lessons": ["Carry a pump"],
        "actors": ["mia"],
        "tags": ["bicycle"],
        "created_at": "2026-05-01T10:00:00+00:00",
    }
    points = [
        ("3f0b7a54-8c1d-4c8e-9d7a-111111111111", episode),
        (7, {"user_id": "mia", "source": "", "data": "Mia once played chess"}),
        (8, {"user_id": "mia", "source": "episode", "goal": "Plant a tree"}),
        (9, {"user_id": "mia", "source": "extracted"}),
    ]
    client = memory.vector_store.client
    client.upsert(
        "memories", [models.PointStruct(id=id, vector=[0.1] * 10, payload=payload) for id, payload in points]
    )
    client.close()


class Command:
    """Unpickled by Python, it would run a command."""

    def __reduce__(self):
        return os.system, ("touch pickle-was-run",)


def make_pickles():
    os.makedirs("pickles", exist_ok=True)
    payload = {
        "data": "Mia drinks tea — «há chá»",
        "source": "explicit",
        "tags": ("drink", "morning"),
        "confidence": 0.5,
        "big": 2**100,
        "negative": -70000,
        "raw": b"\x00\xff",
        "set": {1},
        "created_at": datetime.datetime(2026, 5, 1, 10, tzinfo=datetime.timezone.utc),
        "metadata": collections.OrderedDict(project="atlas"),
    }
    point = models.PointStruct.model_construct(id=7, vector=[0.1] * 10, payload=payload)
    for protocol in range(6):
        with open(f"pickles/protocol-{protocol}.pickle", "wb") as file:
            pickle.dump(point, file, protocol=protocol)
    for name, value in [("command", Command()), ("command-inside", {"id": 7, "payload": {"data": Command()}})]:
        with open(f"pickles/{name}.pickle", "wb") as file:
            pickle.dump(value, file, protocol=4)


make_memories()
make_pickles()
