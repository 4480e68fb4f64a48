// SPDX-License-Identifier: Apache-2.0
#include "context_ops.h"

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr);
int ibv_query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);

void context_set_operations(struct context *context) {
  struct verbs_context *extended = &context->base;
  extended->sz = sizeof *extended;
  extended->context.abi_compat = IBV_ABI_IS_EXTENDED;
  struct ibv_context_ops *ops = &extended->context.ops;
  ops->_compat_query_device = ibv_query_device;
  ops->_compat_query_port = ibv_query_port;
  ops->alloc_mw = alloc_mw;
  ops->dealloc_mw = dealloc_mw;
  ops->bind_mw = bind_mw;
  ops->poll_cq = poll_cq;
  ops->req_notify_cq = req_notify_cq;
  ops->post_send = post_send;
  ops->post_recv = post_recv;
  ops->post_srq_recv = post_srq_recv;
  extended->query_port = query_port;
  extended->query_device_ex = query_device_ex;
  extended->query_rt_values = query_rt_values;
  extended->alloc_parent_domain = alloc_parent_domain;
  extended->alloc_td = alloc_td;
  extended->dealloc_td = dealloc_td;
  extended->open_xrcd = open_xrcd;
  extended->close_xrcd = close_xrcd;
  extended->alloc_null_mr = alloc_null_mr;
  extended->advise_mr = advise_mr;
  extended->alloc_dm = alloc_dm;
  extended->free_dm = free_dm;
  extended->reg_dm_mr = reg_dm_mr;
  extended->create_cq_ex = create_cq_ex;
  extended->modify_cq = modify_cq;
  extended->create_srq_ex = create_srq_ex;
  extended->get_srq_num = get_srq_num;
  extended->create_qp_ex = create_qp_ex;
  extended->open_qp = open_qp;
  extended->create_wq = create_wq;
  extended->modify_wq = modify_wq;
  extended->destroy_wq = destroy_wq;
  extended->create_rwq_ind_table = create_rwq_ind_table;
  extended->destroy_rwq_ind_table = destroy_rwq_ind_table;
  extended->ibv_create_flow = create_flow;
  extended->ibv_destroy_flow = destroy_flow;
  extended->create_counters = create_counters;
  extended->destroy_counters = destroy_counters;
  extended->attach_counters_point_flow = attach_counters_point_flow;
  extended->read_counters = read_counters;
  extended->modify_qp_rate_limit = modify_qp_rate_limit;
}
