#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares every byte of SEND, WRITE and READ between two RDMA devices, both ways.

Plays either side of the protocol described in PROTOCOL.md on a verbs device of Linux (pyverbs 44):

    integrity.py --listen [--device rxe0] [--gid-index 1] [--mtu 1024] [--port 18516]
    integrity.py --connect HOST ...

    --ack-timeout 0 (none, the default) to 31: the time-out for acknowledgements as in ibv_modify_qp; a wire that loses packets needs one

The last line of the output is "80 steps, 0 bad"; the exit status is 0 only then.
"""
import argparse
import ctypes
import functools
import hashlib
import ipaddress
import mmap
import os
import socket
import sys
import time

import pyverbs.enums as e
from pyverbs.addr import AHAttr, GID, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

SIZES = (0, 1, 7, 1000, 1024, 4096, 65536, 1048573)
OPERATIONS = ("send", "send_imm", "write", "write_imm", "read")
STEPS = [
    (operation, active, size)
    for size in SIZES
    for operation in OPERATIONS
    for active in ("client", "server")
]

BLOCK = 32  # bytes of a digest
ROW = 1024 * BLOCK
GUARD = 64  # bytes before and after a message that must stay untouched
GUARD_BYTE = b"\xa5"
REGION = 2 * 1024 * 1024
LINE_SECONDS = 60
COMPLETION_SECONDS = 30
COMPLEMENT = bytes(255 - i for i in range(256))

MTUS = {256: e.IBV_MTU_256, 512: e.IBV_MTU_512, 1024: e.IBV_MTU_1024, 2048: e.IBV_MTU_2048, 4096: e.IBV_MTU_4096}
OPCODES = {
    "send": (e.IBV_WR_SEND, e.IBV_WC_SEND),
    "send_imm": (e.IBV_WR_SEND_WITH_IMM, e.IBV_WC_SEND),
    "write": (e.IBV_WR_RDMA_WRITE, e.IBV_WC_RDMA_WRITE),
    "write_imm": (e.IBV_WR_RDMA_WRITE_WITH_IMM, e.IBV_WC_RDMA_WRITE),
    "read": (e.IBV_WR_RDMA_READ, e.IBV_WC_RDMA_READ),
}


class Failure(Exception):
    """Something other than a wrong byte; ends the run on both sides."""


@functools.lru_cache(maxsize=2)
def pattern(step, size):
    """A first row of digests; each later row is the first one, XOR one digest of its own (PROTOCOL.md)."""
    blocks = (size + BLOCK - 1) // BLOCK
    first = b"".join(digest(b"queuepair %d %d" % (step, k)) for k in range(min(blocks, ROW // BLOCK)))
    rows = [first]
    for row in range(1, (size + ROW - 1) // ROW):
        mask = digest(b"queuepair %d row %d" % (step, row)) * (ROW // BLOCK)
        rows.append((int.from_bytes(first, "big") ^ int.from_bytes(mask, "big")).to_bytes(ROW, "big"))
    return b"".join(rows)[:size]


def digest(text):
    return hashlib.sha256(text).digest()


def offset(step):
    """Where the message of a step begins in both regions: not aligned to anything, on purpose."""
    return GUARD + 7 * step % 61


def immediate(step):
    return 0x51500000 + step


class Lines:
    """The TCP connection, one line of text at a time."""

    def __init__(self, connection):
        connection.settimeout(LINE_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection
        self.reader = connection.makefile("r", encoding="ascii", newline="\n")

    def write(self, line):
        self.connection.sendall(line.encode("ascii", "replace") + b"\n")

    def read(self):
        line = self.reader.readline()
        if not line.endswith("\n"):
            raise Failure("the other side closed the connection")
        line = line.rstrip("\n")
        if line.startswith("error "):
            raise Failure("the other side says: " + line)
        return line

    def expect(self, line):
        got = self.read()
        if got != line:
            raise Failure(f"expected the line '{line}', got '{got}'")


class Endpoint:
    """One RC queue pair with one registered region."""

    def __init__(self, options):
        self.options = options
        self.context = Context(name=options.device)
        self.pd = PD(self.context)
        self.memory = mmap.mmap(-1, REGION)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        self.access = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ
        self.mr = MR(self.pd, REGION, self.access, address=self.address)
        self.send_cq = CQ(self.context, 16)
        self.recv_cq = CQ(self.context, 16)
        cap = QPCap(max_send_wr=4, max_recv_wr=4, max_send_sge=1, max_recv_sge=1)
        init = QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.send_cq, rcq=self.recv_cq, cap=cap, sq_sig_all=1)
        self.qp = QP(self.pd, init)
        self.psn = int.from_bytes(os.urandom(3), "big")
        self.gid = ipaddress.IPv6Address(self.context.query_gid(1, options.gid_index).gid)

    def hello(self):
        return (
            f"hello queuepair-integrity 2 gid={self.gid} qpn={self.qp.qp_num} psn={self.psn} mtu={self.options.mtu}"
            f" rkey={self.mr.rkey} addr={self.address} length={REGION}"
        )

    def connect(self, hello):
        words = hello.split()
        if words[:3] != ["hello", "queuepair-integrity", "2"]:
            raise Failure(f"expected a hello, got '{hello}'")
        remote = dict(word.split("=", 1) for word in words[3:])
        self.remote_address, self.remote_rkey = int(remote["addr"]), int(remote["rkey"])
        if int(remote["length"]) < GUARD + 60 + max(SIZES) + GUARD:
            raise Failure("the other side's region is too short")
        attr = QPAttr(port_num=1)
        attr.qp_access_flags = self.access
        self.qp.to_init(attr)
        attr.path_mtu = MTUS[min(self.options.mtu, int(remote["mtu"]))]
        attr.dest_qp_num, attr.rq_psn, attr.sq_psn = int(remote["qpn"]), int(remote["psn"]), self.psn
        attr.max_dest_rd_atomic = attr.max_rd_atomic = 1
        # By default no ack timer, as the kernel's repeats requests without a reason (see ack-timer-off.c). With 7 retries the
        # kernel never gives up; with 6 it did within a message of 1 MiB when 1 % of the packets were lost.
        attr.min_rnr_timer, attr.timeout, attr.retry_cnt, attr.rnr_retry = 12, self.options.ack_timeout, 7, 6
        gid = GID(ipaddress.IPv6Address(remote["gid"]).exploded)
        route = GlobalRoute(dgid=gid, sgid_index=self.options.gid_index, hop_limit=64)
        attr.ah_attr = AHAttr(gr=route, is_global=1, port_num=1)
        self.qp.to_rtr(attr)
        self.qp.to_rts(attr)

    def put(self, start, data):
        self.memory[start : start + len(data)] = data

    def fill(self, step, size):
        """Puts the pattern where it is to be taken from."""
        self.put(offset(step), pattern(step, size))

    def prepare(self, step, size):
        """Makes every byte of the target wrong, so that one not written is seen, and sets the guards."""
        wrong = pattern(step, size).translate(COMPLEMENT)
        self.put(offset(step) - GUARD, GUARD_BYTE * GUARD + wrong + GUARD_BYTE * GUARD)

    def verdict(self, step, size):
        """Compares message and guards: "ok STEP" or "bad STEP first difference at ..."."""
        start = offset(step) - GUARD
        got = self.memory[start : start + size + 2 * GUARD]
        expected = GUARD_BYTE * GUARD + pattern(step, size) + GUARD_BYTE * GUARD
        if got == expected:
            return f"ok {step}"
        i = next(i for i in range(len(got)) if got[i] != expected[i])
        return f"bad {step} first difference at {i - GUARD}: got {got[i]:02x} expected {expected[i]:02x}"

    def sge(self, step, size):
        return [SGE(self.address + offset(step), size, self.mr.lkey)]  # pyverbs wants one even for 0 bytes

    def post_receive(self, step, size):
        self.qp.post_recv(RecvWR(wr_id=step, sg=self.sge(step, size), num_sge=1))

    def post(self, step, operation, size):
        opcode = OPCODES[operation][0]
        wr = SendWR(wr_id=step, opcode=opcode, num_sge=1, sg=self.sge(step, size), send_flags=e.IBV_SEND_SIGNALED)
        if operation.endswith("_imm"):
            wr.imm_data = socket.htonl(immediate(step))
        if operation.startswith(("write", "read")):
            wr.set_wr_rdma(self.remote_rkey, self.remote_address + offset(step))
        self.qp.post_send(wr)

    def completion(self, cq, step, opcode):
        deadline = time.monotonic() + COMPLETION_SECONDS
        while True:
            count, completions = cq.poll(1)
            if count:
                break
            if time.monotonic() > deadline:
                raise Failure(f"no completion in {COMPLETION_SECONDS} s")
            time.sleep(0.001)
        wc = completions[0]
        if (wc.status, wc.wr_id) != (e.IBV_WC_SUCCESS, step):
            raise Failure(f"completion of wr_id {wc.wr_id} with status {wc.status}, vendor error {wc.vendor_err}")
        if wc.opcode != opcode:
            raise Failure(f"completion with opcode {wc.opcode}, expected {opcode}")
        return wc

    def sent(self, step, operation):
        self.completion(self.send_cq, step, OPCODES[operation][1])

    def received(self, step, operation, size):
        opcode = e.IBV_WC_RECV_RDMA_WITH_IMM if operation == "write_imm" else e.IBV_WC_RECV
        wc = self.completion(self.recv_cq, step, opcode)
        if wc.byte_len != size:
            raise Failure(f"the receive says {wc.byte_len} bytes, expected {size}")
        with_immediate = bool(wc.wc_flags & e.IBV_WC_WITH_IMM)
        if with_immediate != operation.endswith("_imm"):
            raise Failure(f"the receive's flags {wc.wc_flags:#x} are wrong about the immediate")
        if with_immediate and socket.ntohl(wc.imm_data) != immediate(step):
            raise Failure(f"immediate {socket.ntohl(wc.imm_data):#x}, expected {immediate(step):#x}")


def active(lines, end, step, operation, size):
    """The side which posts the work request. Returns the verdict."""
    if operation == "read":
        end.prepare(step, size)
    else:
        end.fill(step, size)
    lines.expect(f"go {step}")
    end.post(step, operation, size)
    end.sent(step, operation)
    if operation == "read":
        verdict = end.verdict(step, size)
        lines.write(verdict)
        return verdict
    lines.write(f"sent {step}")
    return lines.read()


def passive(lines, end, step, operation, size):
    """The side whose memory is the target, or the source of a read. Returns the verdict."""
    if operation == "read":
        end.fill(step, size)
    else:
        end.prepare(step, size)
    if operation.startswith("send"):
        end.post_receive(step, size)
    elif operation == "write_imm":
        end.post_receive(step, 0)
    lines.write(f"go {step}")
    if operation == "read":
        return lines.read()
    lines.expect(f"sent {step}")
    if operation != "write":
        end.received(step, operation, size)
    verdict = end.verdict(step, size)
    lines.write(verdict)
    return verdict


def run(lines, end, role):
    """All steps; returns how many were bad."""
    if role == "client":
        lines.write(end.hello())
        end.connect(lines.read())
        lines.write("ready")
        lines.expect("ready")
    else:
        end_hello = lines.read()
        lines.write(end.hello())
        end.connect(end_hello)
        lines.expect("ready")
        lines.write("ready")
    bad = 0
    for step, (operation, who, size) in enumerate(STEPS, 1):
        title = f"step {step} {operation} {who} {size}"
        try:
            if role == "client":
                lines.write(title)
            else:
                lines.expect(title)
            verdict = (active if who == role else passive)(lines, end, step, operation, size)
        except Failure as failure:
            raise Failure(f"{title}: {failure}") from failure
        if verdict != f"ok {step}":
            if not verdict.startswith(f"bad {step} "):
                raise Failure(f"{title}: expected a verdict, got '{verdict}'")
            bad += 1
        print(f"{title}: {verdict}", flush=True)
    done = f"done {len(STEPS)} {bad}"
    if role == "client":
        lines.write(done)
        lines.expect(done)
    else:
        lines.expect(done)
        lines.write(done)
    return bad


def open_connection(options):
    if options.connect:
        return socket.create_connection((options.connect, options.port), LINE_SECONDS)
    with socket.create_server(("", options.port)) as server:
        server.settimeout(LINE_SECONDS)
        return server.accept()[0]


def main():
    parser = argparse.ArgumentParser(description="compares every byte of SEND, WRITE and READ, both ways")
    role = parser.add_mutually_exclusive_group(required=True)
    role.add_argument("--listen", action="store_true", help="wait for the other side (the server)")
    role.add_argument("--connect", metavar="HOST", help="connect to the other side (the client)")
    parser.add_argument("--port", type=int, default=18516)
    parser.add_argument("--device", default="rxe0")
    parser.add_argument("--gid-index", type=int, default=1)
    parser.add_argument("--mtu", type=int, choices=sorted(MTUS), default=1024)
    parser.add_argument("--ack-timeout", type=int, choices=range(32), metavar="0..31", default=0)
    options = parser.parse_args()
    lines = None
    try:
        end = Endpoint(options)
        lines = Lines(open_connection(options))
        bad = run(lines, end, "server" if options.listen else "client")
    except Exception as failure:  # every reason ends both sides with one line each
        text = " ".join(str(failure).split()) or type(failure).__name__
        print(f"error: {text}", flush=True)
        if lines:
            try:
                lines.write("error " + text)
            except OSError:
                pass
        return 1
    print(f"{len(STEPS)} steps, {bad} bad", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
