# SPDX-License-Identifier: Apache-2.0
"""Writes from one half of a buffer to the other, through a queue pair that is connected with itself.

    queuepair run -- python3 write.py       # Debian: python3-pyverbs
"""
import pyverbs.enums as e
from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context, get_device_list
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

TEXT = "hello"
HALF = 2048


def connect_self(context, qp, attr):
    """To RTS: the destination is the queue pair itself, by the first GID of the port."""
    route = GlobalRoute(dgid=context.query_gid(1, 0), sgid_index=0)
    attr.ah_attr = AHAttr(gr=route, is_global=1, port_num=1)
    attr.dest_qp_num = qp.qp_num
    attr.path_mtu = e.IBV_MTU_1024
    attr.max_rd_atomic = attr.max_dest_rd_atomic = 1
    attr.min_rnr_timer = 12
    attr.timeout, attr.retry_cnt, attr.rnr_retry = 14, 7, 7
    qp.to_rts(attr)


def main():
    name = get_device_list()[0].name.decode()
    with Context(name=name) as context, PD(context) as pd, CQ(context, 16) as cq:
        rights = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE
        with MR(pd, 2 * HALF, rights) as mr:
            cap = QPCap(max_send_wr=1, max_recv_wr=1)
            attr = QPAttr(port_num=1)
            attr.qp_access_flags = rights
            init = QPInitAttr(qp_type=e.IBV_QPT_RC, scq=cq, rcq=cq, cap=cap)
            with QP(pd, init, attr) as qp:
                connect_self(context, qp, attr)
                mr.write(TEXT, len(TEXT))
                request = SendWR(
                    opcode=e.IBV_WR_RDMA_WRITE,
                    send_flags=e.IBV_SEND_SIGNALED,
                    num_sge=1,
                    sg=[SGE(mr.buf, len(TEXT), mr.lkey)],
                )
                request.set_wr_rdma(mr.rkey, mr.buf + HALF)
                qp.post_send(request)
                taken = 0
                while not taken:
                    taken, completions = cq.poll()
                assert completions[0].status == e.IBV_WC_SUCCESS, completions[0]
                print(f"{name}: wrote", mr.read(len(TEXT), HALF).decode())


if __name__ == "__main__":
    main()
