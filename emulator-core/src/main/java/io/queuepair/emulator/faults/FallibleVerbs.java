// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The verbs that a plan can let fail: those that return an error or NULL in C. */
final class FallibleVerbs {
  private static final Set<String> NAMES =
      new TreeSet<>(
          List.of(
              """
              ibv_advise_mr ibv_alloc_buf ibv_alloc_dm ibv_alloc_mw ibv_alloc_null_mr
              ibv_alloc_parent_domain ibv_alloc_pd ibv_alloc_td ibv_attach_counters_point_flow
              ibv_attach_mcast ibv_bind_mw ibv_close_device ibv_close_xrcd ibv_create_ah
              ibv_create_comp_channel ibv_create_counters ibv_create_cq ibv_create_cq_ex
              ibv_create_flow ibv_create_qp ibv_create_qp_ex ibv_create_rwq_ind_table
              ibv_create_srq ibv_create_srq_ex ibv_create_wq ibv_dealloc_mw ibv_dealloc_pd
              ibv_dealloc_td ibv_dereg_mr ibv_destroy_ah ibv_destroy_comp_channel
              ibv_destroy_counters ibv_destroy_cq ibv_destroy_flow ibv_destroy_qp
              ibv_destroy_rwq_ind_table ibv_destroy_srq ibv_destroy_wq ibv_detach_mcast
              ibv_free_dm ibv_get_async_event ibv_get_cq_event ibv_get_pkey_index
              ibv_init_ah_from_wc ibv_memcpy_from_dm ibv_memcpy_to_dm ibv_modify_cq ibv_modify_qp
              ibv_modify_qp_rate_limit ibv_modify_srq ibv_modify_wq ibv_next_poll ibv_open_device
              ibv_open_qp ibv_open_xrcd ibv_poll_cq ibv_post_recv ibv_post_send ibv_post_srq_recv
              ibv_post_wq_recv ibv_query_device ibv_query_device_ex ibv_query_gid ibv_query_gid_ex
              ibv_query_gid_table ibv_query_pkey ibv_query_port ibv_query_port_speed ibv_query_qp
              ibv_query_qp_data_in_order ibv_query_rt_values_ex ibv_query_srq ibv_read_counters
              ibv_reg_buf_mr ibv_reg_dm_mr ibv_reg_mr ibv_reg_mr_ex ibv_reg_mr_iova
              ibv_req_notify_cq ibv_rereg_mr ibv_resize_cq ibv_resolve_eth_l2_from_gid
              ibv_start_poll ibv_wr_complete umad_recv umad_register umad_send
              """
                  .split("\\s+")));

  private FallibleVerbs() {}

  static boolean have(String verb) {
    return NAMES.contains(verb);
  }

  /** Names of these verbs, in alphabetical order. */
  static Set<String> names() {
    return NAMES;
  }
}
