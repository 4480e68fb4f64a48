// SPDX-License-Identifier: Apache-2.0
// Verbs behind the function pointers of a context, and the function that sets these.
#pragma once

#include "objects.h"

void context_set_operations(struct context *context);

// device.c
int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
    struct ibv_device_attr_ex *attr, size_t size);
int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size);
int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values);

// domains.c
struct ibv_pd *alloc_parent_domain(
    struct ibv_context *context, struct ibv_parent_domain_init_attr *attr);
struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr);
int dealloc_td(struct ibv_td *td);
struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr);
int close_xrcd(struct ibv_xrcd *xrcd);

// memory.c
struct ibv_mr *alloc_null_mr(struct ibv_pd *pd);
int advise_mr(
    struct ibv_pd *pd, int advice, uint32_t flags, struct ibv_sge *list, uint32_t count);
struct ibv_mw *alloc_mw(struct ibv_pd *pd, int type);
int dealloc_mw(struct ibv_mw *mw);
int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);
struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr);
int free_dm(struct ibv_dm *dm);
struct ibv_mr *reg_dm_mr(
    struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length, unsigned access);

// completion.c
struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr);
int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
int req_notify_cq(struct ibv_cq *cq, int solicited_only);
int poll_cq(struct ibv_cq *cq, int count, struct ibv_wc *completions);

// queue_pair.c
struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *init);
int get_srq_num(struct ibv_srq *srq, uint32_t *number);
struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *init);
struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr);
int modify_qp_rate_limit(struct ibv_qp *qp, struct ibv_qp_rate_limit_attr *attr);

// work_queues.c
struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *init);
int modify_wq(struct ibv_wq *wq, struct ibv_wq_attr *attr);
int destroy_wq(struct ibv_wq *wq);
struct ibv_rwq_ind_table *create_rwq_ind_table(
    struct ibv_context *context, struct ibv_rwq_ind_table_init_attr *init);
int destroy_rwq_ind_table(struct ibv_rwq_ind_table *table);

// flows.c
struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr);
int destroy_flow(struct ibv_flow *flow);
struct ibv_counters *create_counters(
    struct ibv_context *context, struct ibv_counters_init_attr *attr);
int destroy_counters(struct ibv_counters *counters);
int attach_counters_point_flow(
    struct ibv_counters *counters, struct ibv_counter_attach_attr *attr, struct ibv_flow *flow);
int read_counters(
    struct ibv_counters *counters, uint64_t *values, uint32_t count, uint32_t flags);

// posting.c
int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int post_wq_recv(struct ibv_wq *wq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
