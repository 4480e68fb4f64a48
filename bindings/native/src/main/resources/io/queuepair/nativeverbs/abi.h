// SPDX-License-Identifier: Apache-2.0
// Public ABI of libibverbs on 64-bit Linux, declared here so that no header has to be installed.
// Compiled programs depend on it: nothing in it can change. Enumerations are plain integers here.
// abi_check.c compares all of it with the header of the system, where there is one.
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct ibv_alloc_dm_attr;
struct ibv_counter_attach_attr;
struct ibv_counters;
struct ibv_counters_init_attr;
struct ibv_cq;
struct ibv_cq_init_attr_ex;
struct ibv_device;
struct ibv_device_attr;
struct ibv_device_attr_ex;
struct ibv_dm;
struct ibv_flow;
struct ibv_flow_action;
struct ibv_flow_action_esp_attr;
struct ibv_flow_attr;
struct ibv_modify_cq_attr;
struct ibv_mw_bind;
struct ibv_ops_wr;
struct ibv_parent_domain_init_attr;
struct ibv_pd;
struct ibv_poll_cq_attr;
struct ibv_port_attr;
struct ibv_qp;
struct ibv_qp_init_attr_ex;
struct ibv_qp_open_attr;
struct ibv_qp_rate_limit_attr;
struct ibv_query_device_ex_input;
struct ibv_recv_wr;
struct ibv_rwq_ind_table;
struct ibv_rwq_ind_table_init_attr;
struct ibv_send_wr;
struct ibv_sge;
struct ibv_srq;
struct ibv_srq_init_attr_ex;
struct ibv_td;
struct ibv_td_init_attr;
struct ibv_values_ex;
struct ibv_wc;
struct ibv_wc_tm_info;
struct ibv_wq;
struct ibv_wq_attr;
struct ibv_wq_init_attr;
struct ibv_xrcd_init_attr;

// Values. Those that are only passed on to the service have no name here.

#define IBV_ABI_IS_EXTENDED ((void *)UINTPTR_MAX)

enum {
  IBV_WR_RDMA_WRITE = 0,
  IBV_WR_RDMA_WRITE_WITH_IMM = 1,
  IBV_WR_SEND = 2,
  IBV_WR_SEND_WITH_IMM = 3,
  IBV_WR_RDMA_READ = 4,
  IBV_WR_ATOMIC_CMP_AND_SWP = 5,
  IBV_WR_ATOMIC_FETCH_AND_ADD = 6,
  IBV_WR_LOCAL_INV = 7,
  IBV_WR_BIND_MW = 8,
  IBV_WR_SEND_WITH_INV = 9,
  IBV_WR_FLUSH = 14,
  IBV_WR_ATOMIC_WRITE = 15,
  IBV_SEND_FENCE = 1,
  IBV_SEND_SIGNALED = 2,
  IBV_SEND_SOLICITED = 4,
  IBV_SEND_INLINE = 8,
  IBV_QPT_RC = 2,
  IBV_QPT_UC = 3,
  IBV_QPT_UD = 4,
  IBV_QPT_XRC_SEND = 9,
  IBV_QPT_XRC_RECV = 10,
  IBV_QPS_RESET = 0,
  IBV_QPS_RTS = 3,
  IBV_QP_STATE = 1,
  IBV_QP_CAP = 1 << 19,
  IBV_QP_DEST_QPN = 1048576,
  IBV_QP_INIT_ATTR_PD = 1,
  IBV_QP_INIT_ATTR_XRCD = 2,
  IBV_QP_INIT_ATTR_IND_TABLE = 16,
  IBV_QP_INIT_ATTR_RX_HASH = 32,
  IBV_QP_INIT_ATTR_SEND_OPS_FLAGS = 64,
  IBV_WQS_RESET = 0,
  IBV_WQ_ATTR_STATE = 1,
  IBV_WQ_INIT_ATTR_FLAGS = 1,
  IBV_SRQT_BASIC = 0,
  IBV_SRQT_XRC = 1,
  IBV_SRQ_INIT_ATTR_TYPE = 1,
  IBV_SRQ_INIT_ATTR_PD = 2,
  IBV_SRQ_INIT_ATTR_XRCD = 4,
  IBV_SRQ_INIT_ATTR_CQ = 8,
  IBV_ACCESS_LOCAL_WRITE = 1,
  IBV_ACCESS_REMOTE_WRITE = 2,
  IBV_ACCESS_REMOTE_ATOMIC = 8,
  IBV_ACCESS_MW_BIND = 16,
  IBV_ACCESS_ZERO_BASED = 32,
  IBV_ACCESS_ON_DEMAND = 64,
  IBV_REREG_MR_CHANGE_TRANSLATION = 1,
  IBV_REREG_MR_CHANGE_PD = 2,
  IBV_REREG_MR_CHANGE_ACCESS = 4,
  IBV_REREG_MR_ERR_INPUT = -1,
  IBV_REREG_MR_ERR_CMD = -4,
  IBV_WC_SUCCESS = 0,
  IBV_WC_RECV = 128,
  IBV_WC_RECV_RDMA_WITH_IMM = 129,
  IBV_FORK_UNNEEDED = 2,
  IBV_VALUES_MASK_RAW_CLOCK = 1,
  IBV_EVENT_CQ_ERR = 0,
  IBV_EVENT_QP_FATAL = 1,
  IBV_EVENT_QP_REQ_ERR = 2,
  IBV_EVENT_QP_ACCESS_ERR = 3,
  IBV_EVENT_COMM_EST = 4,
  IBV_EVENT_SQ_DRAINED = 5,
  IBV_EVENT_PATH_MIG = 6,
  IBV_EVENT_PATH_MIG_ERR = 7,
  IBV_EVENT_DEVICE_FATAL = 8,
  IBV_EVENT_SRQ_ERR = 14,
  IBV_EVENT_SRQ_LIMIT_REACHED = 15,
  IBV_EVENT_QP_LAST_WQE_REACHED = 16,
  IBV_EVENT_WQ_FATAL = 19,
};

// Devices and contexts.

struct _ibv_device_ops {
  struct ibv_context *(*_dummy1)(struct ibv_device *, int);
  void (*_dummy2)(struct ibv_context *);
};

struct ibv_device {
  struct _ibv_device_ops _ops;
  int node_type;
  int transport_type;
  char name[64];
  char dev_name[64];
  char dev_path[256];
  char ibdev_path[256];
};

struct ibv_context_ops {
  int (*_compat_query_device)(struct ibv_context *, struct ibv_device_attr *);
  int (*_compat_query_port)(struct ibv_context *, uint8_t, struct ibv_port_attr *);
  void *unused0[5];
  struct ibv_mw *(*alloc_mw)(struct ibv_pd *, int);
  int (*bind_mw)(struct ibv_qp *, struct ibv_mw *, struct ibv_mw_bind *);
  int (*dealloc_mw)(struct ibv_mw *);
  void *unused1[1];
  int (*poll_cq)(struct ibv_cq *, int, struct ibv_wc *);
  int (*req_notify_cq)(struct ibv_cq *, int);
  void *unused2[7];
  int (*post_srq_recv)(struct ibv_srq *, struct ibv_recv_wr *, struct ibv_recv_wr **);
  void *unused3[4];
  int (*post_send)(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **);
  int (*post_recv)(struct ibv_qp *, struct ibv_recv_wr *, struct ibv_recv_wr **);
  void *unused4[5];
};

struct ibv_context {
  struct ibv_device *device;
  struct ibv_context_ops ops;
  int cmd_fd;
  int async_fd;
  int num_comp_vectors;
  pthread_mutex_t mutex;
  void *abi_compat;
};

struct verbs_context {
  int (*query_port)(struct ibv_context *, uint8_t, struct ibv_port_attr *, size_t);
  int (*advise_mr)(struct ibv_pd *, int, uint32_t, struct ibv_sge *, uint32_t);
  struct ibv_mr *(*alloc_null_mr)(struct ibv_pd *);
  int (*read_counters)(struct ibv_counters *, uint64_t *, uint32_t, uint32_t);
  int (*attach_counters_point_flow)(struct ibv_counters *, struct ibv_counter_attach_attr *,
      struct ibv_flow *);
  struct ibv_counters *(*create_counters)(struct ibv_context *, struct ibv_counters_init_attr *);
  int (*destroy_counters)(struct ibv_counters *);
  struct ibv_mr *(*reg_dm_mr)(struct ibv_pd *, struct ibv_dm *, uint64_t, size_t, unsigned);
  struct ibv_dm *(*alloc_dm)(struct ibv_context *, struct ibv_alloc_dm_attr *);
  int (*free_dm)(struct ibv_dm *);
  int (*modify_flow_action_esp)(struct ibv_flow_action *, struct ibv_flow_action_esp_attr *);
  int (*destroy_flow_action)(struct ibv_flow_action *);
  struct ibv_flow_action *(*create_flow_action_esp)(struct ibv_context *,
      struct ibv_flow_action_esp_attr *);
  int (*modify_qp_rate_limit)(struct ibv_qp *, struct ibv_qp_rate_limit_attr *);
  struct ibv_pd *(*alloc_parent_domain)(struct ibv_context *, struct ibv_parent_domain_init_attr *);
  int (*dealloc_td)(struct ibv_td *);
  struct ibv_td *(*alloc_td)(struct ibv_context *, struct ibv_td_init_attr *);
  int (*modify_cq)(struct ibv_cq *, struct ibv_modify_cq_attr *);
  int (*post_srq_ops)(struct ibv_srq *, struct ibv_ops_wr *, struct ibv_ops_wr **);
  int (*destroy_rwq_ind_table)(struct ibv_rwq_ind_table *);
  struct ibv_rwq_ind_table *(*create_rwq_ind_table)(struct ibv_context *,
      struct ibv_rwq_ind_table_init_attr *);
  int (*destroy_wq)(struct ibv_wq *);
  int (*modify_wq)(struct ibv_wq *, struct ibv_wq_attr *);
  struct ibv_wq *(*create_wq)(struct ibv_context *, struct ibv_wq_init_attr *);
  int (*query_rt_values)(struct ibv_context *, struct ibv_values_ex *);
  struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *, struct ibv_cq_init_attr_ex *);
  struct verbs_ex_private *priv;
  int (*query_device_ex)(struct ibv_context *, const struct ibv_query_device_ex_input *,
      struct ibv_device_attr_ex *, size_t);
  int (*ibv_destroy_flow)(struct ibv_flow *);
  void (*ABI_placeholder2)(void);
  struct ibv_flow *(*ibv_create_flow)(struct ibv_qp *, struct ibv_flow_attr *);
  void (*ABI_placeholder1)(void);
  struct ibv_qp *(*open_qp)(struct ibv_context *, struct ibv_qp_open_attr *);
  struct ibv_qp *(*create_qp_ex)(struct ibv_context *, struct ibv_qp_init_attr_ex *);
  int (*get_srq_num)(struct ibv_srq *, uint32_t *);
  struct ibv_srq *(*create_srq_ex)(struct ibv_context *, struct ibv_srq_init_attr_ex *);
  struct ibv_xrcd *(*open_xrcd)(struct ibv_context *, struct ibv_xrcd_init_attr *);
  int (*close_xrcd)(struct ibv_xrcd *);
  uint64_t _ABI_placeholder3;
  size_t sz;
  struct ibv_context context;
};

// Domains.

struct ibv_pd {
  struct ibv_context *context;
  uint32_t handle;
};

struct ibv_td {
  struct ibv_context *context;
};

struct ibv_td_init_attr {
  uint32_t comp_mask;
};

struct ibv_parent_domain_init_attr {
  struct ibv_pd *pd;
  struct ibv_td *td;
  uint32_t comp_mask;
  void *(*alloc)(struct ibv_pd *, void *, size_t, size_t, uint64_t);
  void (*free)(struct ibv_pd *, void *, void *, uint64_t);
  void *pd_context;
};

struct ibv_xrcd {
  struct ibv_context *context;
};

struct ibv_xrcd_init_attr {
  uint32_t comp_mask;
  int fd;
  int oflags;
};

// Memory.

struct ibv_mr {
  struct ibv_context *context;
  struct ibv_pd *pd;
  void *addr;
  size_t length;
  uint32_t handle;
  uint32_t lkey;
  uint32_t rkey;
};

struct ibv_mw {
  struct ibv_context *context;
  struct ibv_pd *pd;
  uint32_t rkey;
  uint32_t handle;
  int type;
};

struct ibv_mw_bind_info {
  struct ibv_mr *mr;
  uint64_t addr;
  uint64_t length;
  unsigned mw_access_flags;
};

struct ibv_mw_bind {
  uint64_t wr_id;
  unsigned send_flags;
  struct ibv_mw_bind_info bind_info;
};

struct ibv_dm {
  struct ibv_context *context;
  int (*memcpy_to_dm)(struct ibv_dm *, uint64_t, const void *, size_t);
  int (*memcpy_from_dm)(void *, struct ibv_dm *, uint64_t, size_t);
  uint32_t comp_mask;
  uint32_t handle;
};

struct ibv_alloc_dm_attr {
  size_t length;
  uint32_t log_align_req;
  uint32_t comp_mask;
};

// Addresses.

struct ibv_global_route {
  union ibv_gid {
    uint8_t raw[16];
    struct {
      uint64_t subnet_prefix;
      uint64_t interface_id;
    } global;
  } dgid;
  uint32_t flow_label;
  uint8_t sgid_index;
  uint8_t hop_limit;
  uint8_t traffic_class;
};

struct ibv_ah_attr {
  struct ibv_global_route grh;
  uint16_t dlid;
  uint8_t sl;
  uint8_t src_path_bits;
  uint8_t static_rate;
  uint8_t is_global;
  uint8_t port_num;
};

struct ibv_ah {
  struct ibv_context *context;
  struct ibv_pd *pd;
  uint32_t handle;
};

struct ibv_grh {
  uint32_t version_tclass_flow;
  uint16_t paylen;
  uint8_t next_hdr;
  uint8_t hop_limit;
  union ibv_gid sgid;
  union ibv_gid dgid;
};

// Completions.

struct ibv_comp_channel {
  struct ibv_context *context;
  int fd;
  int refcnt;
};

struct ibv_cq {
  struct ibv_context *context;
  struct ibv_comp_channel *channel;
  void *cq_context;
  uint32_t handle;
  int cqe;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t comp_events_completed;
  uint32_t async_events_completed;
};

struct ibv_cq_ex {
  struct ibv_context *context;
  struct ibv_comp_channel *channel;
  void *cq_context;
  uint32_t handle;
  int cqe;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t comp_events_completed;
  uint32_t async_events_completed;
  uint32_t comp_mask;
  int status;
  uint64_t wr_id;
  int (*start_poll)(struct ibv_cq_ex *, struct ibv_poll_cq_attr *);
  int (*next_poll)(struct ibv_cq_ex *);
  void (*end_poll)(struct ibv_cq_ex *);
  int (*read_opcode)(struct ibv_cq_ex *);
  uint32_t (*read_vendor_err)(struct ibv_cq_ex *);
  uint32_t (*read_byte_len)(struct ibv_cq_ex *);
  uint32_t (*read_imm_data)(struct ibv_cq_ex *);
  uint32_t (*read_qp_num)(struct ibv_cq_ex *);
  uint32_t (*read_src_qp)(struct ibv_cq_ex *);
  unsigned (*read_wc_flags)(struct ibv_cq_ex *);
  uint32_t (*read_slid)(struct ibv_cq_ex *);
  uint8_t (*read_sl)(struct ibv_cq_ex *);
  uint8_t (*read_dlid_path_bits)(struct ibv_cq_ex *);
  uint64_t (*read_completion_ts)(struct ibv_cq_ex *);
  uint16_t (*read_cvlan)(struct ibv_cq_ex *);
  uint32_t (*read_flow_tag)(struct ibv_cq_ex *);
  void (*read_tm_info)(struct ibv_cq_ex *, struct ibv_wc_tm_info *);
  uint64_t (*read_completion_wallclock_ns)(struct ibv_cq_ex *);
};

struct ibv_cq_init_attr_ex {
  uint32_t cqe;
  void *cq_context;
  struct ibv_comp_channel *channel;
  uint32_t comp_vector;
  uint64_t wc_flags;
  uint32_t comp_mask;
  uint32_t flags;
  struct ibv_pd *parent_domain;
};

struct ibv_poll_cq_attr {
  uint32_t comp_mask;
};

struct ibv_modify_cq_attr {
  uint32_t attr_mask;
  struct ibv_moderate_cq {
    uint16_t cq_count;
    uint16_t cq_period;
  } moderate;
};

struct ibv_wc_tm_info {
  uint64_t tag;
  uint32_t priv;
};

struct ibv_wc {
  uint64_t wr_id;
  int status;
  int opcode;
  uint32_t vendor_err;
  uint32_t byte_len;
  union {
    uint32_t imm_data;
    uint32_t invalidated_rkey;
  };
  uint32_t qp_num;
  uint32_t src_qp;
  unsigned wc_flags;
  uint16_t pkey_index;
  uint16_t slid;
  uint8_t sl;
  uint8_t dlid_path_bits;
};

// Shared receive queues.

struct ibv_srq_attr {
  uint32_t max_wr;
  uint32_t max_sge;
  uint32_t srq_limit;
};

struct ibv_srq_init_attr {
  void *srq_context;
  struct ibv_srq_attr attr;
};

struct ibv_srq_init_attr_ex {
  void *srq_context;
  struct ibv_srq_attr attr;
  uint32_t comp_mask;
  int srq_type;
  struct ibv_pd *pd;
  struct ibv_xrcd *xrcd;
  struct ibv_cq *cq;
  struct ibv_tm_cap {
    uint32_t max_num_tags;
    uint32_t max_ops;
  } tm_cap;
};

struct ibv_srq {
  struct ibv_context *context;
  void *srq_context;
  struct ibv_pd *pd;
  uint32_t handle;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t events_completed;
};

struct ibv_wq {
  struct ibv_context *context;
  void *wq_context;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  uint32_t wq_num;
  uint32_t handle;
  int state;
  int wq_type;
  int (*post_recv)(struct ibv_wq *, struct ibv_recv_wr *, struct ibv_recv_wr **);
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t events_completed;
  uint32_t comp_mask;
};

struct ibv_wq_init_attr {
  void *wq_context;
  int wq_type;
  uint32_t max_wr;
  uint32_t max_sge;
  struct ibv_pd *pd;
  struct ibv_cq *cq;
  uint32_t comp_mask;
  uint32_t create_flags;
};

struct ibv_wq_attr {
  uint32_t attr_mask;
  int wq_state;
  int curr_wq_state;
  uint32_t flags;
  uint32_t flags_mask;
};

struct ibv_rwq_ind_table {
  struct ibv_context *context;
  int ind_tbl_handle;
  int ind_tbl_num;
  uint32_t comp_mask;
};

struct ibv_rwq_ind_table_init_attr {
  uint32_t log_ind_tbl_size;
  struct ibv_wq **ind_tbl;
  uint32_t comp_mask;
};

// Work requests.

struct ibv_sge {
  uint64_t addr;
  uint32_t length;
  uint32_t lkey;
};

struct ibv_data_buf {
  void *addr;
  size_t length;
};

struct ibv_send_wr {
  uint64_t wr_id;
  struct ibv_send_wr *next;
  struct ibv_sge *sg_list;
  int num_sge;
  int opcode;
  unsigned send_flags;
  union {
    uint32_t imm_data;
    uint32_t invalidate_rkey;
  };
  union {
    struct {
      uint64_t remote_addr;
      uint32_t rkey;
    } rdma;
    struct {
      uint64_t remote_addr;
      uint64_t compare_add;
      uint64_t swap;
      uint32_t rkey;
    } atomic;
    struct {
      struct ibv_ah *ah;
      uint32_t remote_qpn;
      uint32_t remote_qkey;
    } ud;
  } wr;
  union {
    struct {
      uint32_t remote_srqn;
    } xrc;
  } qp_type;
  union {
    struct {
      struct ibv_mw *mw;
      uint32_t rkey;
      struct ibv_mw_bind_info bind_info;
    } bind_mw;
    struct {
      void *hdr;
      uint16_t hdr_sz;
      uint16_t mss;
    } tso;
  };
};

struct ibv_recv_wr {
  uint64_t wr_id;
  struct ibv_recv_wr *next;
  struct ibv_sge *sg_list;
  int num_sge;
};

// Queue pairs.

struct ibv_qp_cap {
  uint32_t max_send_wr;
  uint32_t max_recv_wr;
  uint32_t max_send_sge;
  uint32_t max_recv_sge;
  uint32_t max_inline_data;
};

struct ibv_qp_init_attr {
  void *qp_context;
  struct ibv_cq *send_cq;
  struct ibv_cq *recv_cq;
  struct ibv_srq *srq;
  struct ibv_qp_cap cap;
  int qp_type;
  int sq_sig_all;
};

struct ibv_qp_init_attr_ex {
  void *qp_context;
  struct ibv_cq *send_cq;
  struct ibv_cq *recv_cq;
  struct ibv_srq *srq;
  struct ibv_qp_cap cap;
  int qp_type;
  int sq_sig_all;
  uint32_t comp_mask;
  struct ibv_pd *pd;
  struct ibv_xrcd *xrcd;
  uint32_t create_flags;
  uint16_t max_tso_header;
  struct ibv_rwq_ind_table *rwq_ind_tbl;
  struct ibv_rx_hash_conf {
    uint8_t rx_hash_function;
    uint8_t rx_hash_key_len;
    uint8_t *rx_hash_key;
    uint64_t rx_hash_fields_mask;
  } rx_hash_conf;
  uint32_t source_qpn;
  uint64_t send_ops_flags;
};

struct ibv_qp_open_attr {
  uint32_t comp_mask;
  uint32_t qp_num;
  struct ibv_xrcd *xrcd;
  void *qp_context;
  int qp_type;
};

struct ibv_qp_attr {
  int qp_state;
  int cur_qp_state;
  int path_mtu;
  int path_mig_state;
  uint32_t qkey;
  uint32_t rq_psn;
  uint32_t sq_psn;
  uint32_t dest_qp_num;
  unsigned qp_access_flags;
  struct ibv_qp_cap cap;
  struct ibv_ah_attr ah_attr;
  struct ibv_ah_attr alt_ah_attr;
  uint16_t pkey_index;
  uint16_t alt_pkey_index;
  uint8_t en_sqd_async_notify;
  uint8_t sq_draining;
  uint8_t max_rd_atomic;
  uint8_t max_dest_rd_atomic;
  uint8_t min_rnr_timer;
  uint8_t port_num;
  uint8_t timeout;
  uint8_t retry_cnt;
  uint8_t rnr_retry;
  uint8_t alt_port_num;
  uint8_t alt_timeout;
  uint32_t rate_limit;
};

struct ibv_qp_rate_limit_attr {
  uint32_t rate_limit;
  uint32_t max_burst_sz;
  uint16_t typical_pkt_sz;
  uint32_t comp_mask;
};

struct ibv_qp {
  struct ibv_context *context;
  void *qp_context;
  struct ibv_pd *pd;
  struct ibv_cq *send_cq;
  struct ibv_cq *recv_cq;
  struct ibv_srq *srq;
  uint32_t handle;
  uint32_t qp_num;
  int state;
  int qp_type;
  pthread_mutex_t mutex;
  pthread_cond_t cond;
  uint32_t events_completed;
};

struct ibv_qp_ex {
  struct ibv_qp qp_base;
  uint64_t comp_mask;
  uint64_t wr_id;
  unsigned wr_flags;
  void (*wr_atomic_cmp_swp)(struct ibv_qp_ex *, uint32_t, uint64_t, uint64_t, uint64_t);
  void (*wr_atomic_fetch_add)(struct ibv_qp_ex *, uint32_t, uint64_t, uint64_t);
  void (*wr_bind_mw)(struct ibv_qp_ex *, struct ibv_mw *, uint32_t,
      const struct ibv_mw_bind_info *);
  void (*wr_local_inv)(struct ibv_qp_ex *, uint32_t);
  void (*wr_rdma_read)(struct ibv_qp_ex *, uint32_t, uint64_t);
  void (*wr_rdma_write)(struct ibv_qp_ex *, uint32_t, uint64_t);
  void (*wr_rdma_write_imm)(struct ibv_qp_ex *, uint32_t, uint64_t, uint32_t);
  void (*wr_send)(struct ibv_qp_ex *);
  void (*wr_send_imm)(struct ibv_qp_ex *, uint32_t);
  void (*wr_send_inv)(struct ibv_qp_ex *, uint32_t);
  void (*wr_send_tso)(struct ibv_qp_ex *, void *, uint16_t, uint16_t);
  void (*wr_set_ud_addr)(struct ibv_qp_ex *, struct ibv_ah *, uint32_t, uint32_t);
  void (*wr_set_xrc_srqn)(struct ibv_qp_ex *, uint32_t);
  void (*wr_set_inline_data)(struct ibv_qp_ex *, void *, size_t);
  void (*wr_set_inline_data_list)(struct ibv_qp_ex *, size_t, const struct ibv_data_buf *);
  void (*wr_set_sge)(struct ibv_qp_ex *, uint32_t, uint64_t, uint32_t);
  void (*wr_set_sge_list)(struct ibv_qp_ex *, size_t, const struct ibv_sge *);
  void (*wr_start)(struct ibv_qp_ex *);
  int (*wr_complete)(struct ibv_qp_ex *);
  void (*wr_abort)(struct ibv_qp_ex *);
  void (*wr_atomic_write)(struct ibv_qp_ex *, uint32_t, uint64_t, const void *);
  // Exists in releases after 44; called only on queue pairs created with FLUSH.
  void (*wr_flush)(struct ibv_qp_ex *, uint32_t, uint64_t, size_t, uint8_t, uint8_t);
};

// Queries, events, counters and flows.

struct ibv_device_attr {
  char fw_ver[64];
  uint64_t node_guid;
  uint64_t sys_image_guid;
  uint64_t max_mr_size;
  uint64_t page_size_cap;
  uint32_t vendor_id;
  uint32_t vendor_part_id;
  uint32_t hw_ver;
  int max_qp;
  int max_qp_wr;
  unsigned device_cap_flags;
  int max_sge;
  int max_sge_rd;
  int max_cq;
  int max_cqe;
  int max_mr;
  int max_pd;
  int max_qp_rd_atom;
  int max_ee_rd_atom;
  int max_res_rd_atom;
  int max_qp_init_rd_atom;
  int max_ee_init_rd_atom;
  int atomic_cap;
  int max_ee;
  int max_rdd;
  int max_mw;
  int max_raw_ipv6_qp;
  int max_raw_ethy_qp;
  int max_mcast_grp;
  int max_mcast_qp_attach;
  int max_total_mcast_qp_attach;
  int max_ah;
  int max_fmr;
  int max_map_per_fmr;
  int max_srq;
  int max_srq_wr;
  int max_srq_sge;
  uint16_t max_pkeys;
  uint8_t local_ca_ack_delay;
  uint8_t phys_port_cnt;
};

struct ibv_device_attr_ex {
  struct ibv_device_attr orig_attr;
  uint32_t comp_mask;
  struct ibv_odp_caps {
    uint64_t general_caps;
    struct {
      uint32_t rc_odp_caps;
      uint32_t uc_odp_caps;
      uint32_t ud_odp_caps;
    } per_transport_caps;
  } odp_caps;
  uint64_t completion_timestamp_mask;
  uint64_t hca_core_clock;
  uint64_t device_cap_flags_ex;
  struct ibv_tso_caps {
    uint32_t max_tso;
    uint32_t supported_qpts;
  } tso_caps;
  struct ibv_rss_caps {
    uint32_t supported_qpts;
    uint32_t max_rwq_indirection_tables;
    uint32_t max_rwq_indirection_table_size;
    uint64_t rx_hash_fields_mask;
    uint8_t rx_hash_function;
  } rss_caps;
  uint32_t max_wq_type_rq;
  struct ibv_packet_pacing_caps {
    uint32_t qp_rate_limit_min;
    uint32_t qp_rate_limit_max;
    uint32_t supported_qpts;
  } packet_pacing_caps;
  uint32_t raw_packet_caps;
  struct ibv_tm_caps {
    uint32_t max_rndv_hdr_size;
    uint32_t max_num_tags;
    uint32_t flags;
    uint32_t max_ops;
    uint32_t max_sge;
  } tm_caps;
  struct ibv_cq_moderation_caps {
    uint16_t max_cq_count;
    uint16_t max_cq_period;
  } cq_mod_caps;
  uint64_t max_dm_size;
  struct ibv_pci_atomic_caps {
    uint16_t fetch_add;
    uint16_t swap;
    uint16_t compare_swap;
  } pci_atomic_caps;
  uint32_t xrc_odp_caps;
  uint32_t phys_port_cnt_ex;
};

struct ibv_query_device_ex_input {
  uint32_t comp_mask;
};

struct ibv_port_attr {
  int state;
  int max_mtu;
  int active_mtu;
  int gid_tbl_len;
  uint32_t port_cap_flags;
  uint32_t max_msg_sz;
  uint32_t bad_pkey_cntr;
  uint32_t qkey_viol_cntr;
  uint16_t pkey_tbl_len;
  uint16_t lid;
  uint16_t sm_lid;
  uint8_t lmc;
  uint8_t max_vl_num;
  uint8_t sm_sl;
  uint8_t subnet_timeout;
  uint8_t init_type_reply;
  uint8_t active_width;
  uint8_t active_speed;
  uint8_t phys_state;
  uint8_t link_layer;
  uint8_t flags;
  uint16_t port_cap_flags2;
};

struct ibv_gid_entry {
  union ibv_gid gid;
  uint32_t gid_index;
  uint32_t port_num;
  uint32_t gid_type;
  uint32_t ndev_ifindex;
};

struct ibv_async_event {
  union {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    struct ibv_srq *srq;
    struct ibv_wq *wq;
    int port_num;
  } element;
  int event_type;
};

struct ibv_values_ex {
  uint32_t comp_mask;
  struct timespec raw_clock;
};

struct ibv_ece {
  uint32_t vendor_id;
  uint32_t options;
  uint32_t comp_mask;
};

struct ibv_counters {
  struct ibv_context *context;
};

struct ibv_counters_init_attr {
  uint32_t comp_mask;
};

struct ibv_counter_attach_attr {
  int counter_desc;
  uint32_t index;
  uint32_t comp_mask;
};

// Followed by num_of_specs specifications, each of which begins with its type and size.
struct ibv_flow_attr {
  uint32_t comp_mask;
  int type;
  uint16_t size;
  uint16_t priority;
  uint8_t num_of_specs;
  uint8_t port;
  uint32_t flags;
};

struct ibv_flow {
  uint32_t comp_mask;
  struct ibv_context *context;
  uint32_t handle;
};
