// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.List;
import java.util.Locale;

/** Kinds of objects of which a device can run out; {@code toString} is the word in plans. */
enum Resource {
  PDS("ibv_alloc_pd", "ibv_alloc_parent_domain"),
  MRS("ibv_reg_mr", "ibv_reg_mr_iova", "ibv_reg_mr_ex", "ibv_reg_buf_mr", "ibv_reg_dm_mr"),
  MWS("ibv_alloc_mw"),
  CQS("ibv_create_cq", "ibv_create_cq_ex"),
  CHANNELS("ibv_create_comp_channel"),
  QPS("ibv_create_qp", "ibv_create_qp_ex"),
  SRQS("ibv_create_srq", "ibv_create_srq_ex"),
  AHS("ibv_create_ah"),
  XRCDS("ibv_open_xrcd"),
  DMS("ibv_alloc_dm"),
  FLOWS("ibv_create_flow"),
  COUNTERS("ibv_create_counters");

  private final List<String> verbs;

  Resource(String... verbs) {
    this.verbs = List.of(verbs);
  }

  /** Verbs that create such objects. */
  List<String> verbs() {
    return verbs;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
