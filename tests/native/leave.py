# SPDX-License-Identifier: Apache-2.0
"""Connects, and exits without a disconnect: leave.py ADDRESS PORT"""
import ctypes
import sys

import pyverbs.cm_enums as ce
from pyverbs.cmid import CMID, AddrInfo
from pyverbs.qp import QPCap, QPInitAttr

address = AddrInfo(None, sys.argv[1], None, sys.argv[2], ce.RDMA_PS_TCP)
endpoint = CMID(creator=address, qp_init_attr=QPInitAttr(cap=QPCap(max_recv_wr=1)))
endpoint.connect()
ctypes.CDLL(None).exit(0)  # Destroys no object of Python.
