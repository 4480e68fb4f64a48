// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

/**
 * The functions that a context has pointers to: those of its {@code ops}, and those of the extended
 * structure around it, which end where its size says.
 */
final class ContextFunctions {
  private static final int CONTEXT = VerbsAbi.offset("verbs_context.context");
  private static final int SIZE = VerbsAbi.size("verbs_context");
  private static final int OPS = VerbsAbi.offset("ibv_context.ops");

  private static final long EXTENDED = -1;

  private final long context;

  /** The extended structure; 0 if there is none. */
  private final long extended;

  final ControlFunction allocMw;
  final ControlFunction deallocMw;
  final ControlFunction bindMw;
  final ControlFunction queryPort;
  final ControlFunction queryDeviceEx;
  final ControlFunction queryRtValues;
  final ControlFunction createCqEx;
  final ControlFunction modifyCq;
  final ControlFunction createQpEx;
  final ControlFunction openQp;
  final ControlFunction modifyQpRateLimit;
  final ControlFunction createSrqEx;
  final ControlFunction getSrqNum;
  final ControlFunction openXrcd;
  final ControlFunction closeXrcd;
  final ControlFunction allocDm;
  final ControlFunction freeDm;
  final ControlFunction regDmMr;
  final ControlFunction allocNullMr;
  final ControlFunction adviseMr;
  final ControlFunction allocTd;
  final ControlFunction deallocTd;
  final ControlFunction allocParentDomain;
  final ControlFunction createFlow;
  final ControlFunction destroyFlow;
  final ControlFunction createCounters;
  final ControlFunction destroyCounters;
  final ControlFunction attachCounters;
  final ControlFunction readCounters;

  ContextFunctions(long context) {
    this.context = context;
    long abi = RawMemory.getLong(context + VerbsAbi.offset("ibv_context.abi_compat"));
    extended = abi == EXTENDED ? context - CONTEXT : 0;
    allocMw = ControlFunction.at(operation("alloc_mw"), "ibv_alloc_mw", "JJI");
    deallocMw = ControlFunction.at(operation("dealloc_mw"), "ibv_dealloc_mw", "IJ");
    bindMw = ControlFunction.at(operation("bind_mw"), "ibv_bind_mw", "IJJJ");
    queryPort = of("query_port", "ibv_query_port", "IJBJJ");
    queryDeviceEx = of("query_device_ex", "ibv_query_device_ex", "IJJJJ");
    queryRtValues = of("query_rt_values", "ibv_query_rt_values_ex", "IJJ");
    createCqEx = of("create_cq_ex", "ibv_create_cq_ex", "JJJ");
    modifyCq = of("modify_cq", "ibv_modify_cq", "IJJ");
    createQpEx = of("create_qp_ex", "ibv_create_qp_ex", "JJJ");
    openQp = of("open_qp", "ibv_open_qp", "JJJ");
    modifyQpRateLimit = of("modify_qp_rate_limit", "ibv_modify_qp_rate_limit", "IJJ");
    createSrqEx = of("create_srq_ex", "ibv_create_srq_ex", "JJJ");
    getSrqNum = of("get_srq_num", "ibv_get_srq_num", "IJJ");
    openXrcd = of("open_xrcd", "ibv_open_xrcd", "JJJ");
    closeXrcd = of("close_xrcd", "ibv_close_xrcd", "IJ");
    allocDm = of("alloc_dm", "ibv_alloc_dm", "JJJ");
    freeDm = of("free_dm", "ibv_free_dm", "IJ");
    regDmMr = of("reg_dm_mr", "ibv_reg_dm_mr", "JJJJJI");
    allocNullMr = of("alloc_null_mr", "ibv_alloc_null_mr", "JJ");
    adviseMr = of("advise_mr", "ibv_advise_mr", "IJIIJI");
    allocTd = of("alloc_td", "ibv_alloc_td", "JJJ");
    deallocTd = of("dealloc_td", "ibv_dealloc_td", "IJ");
    allocParentDomain = of("alloc_parent_domain", "ibv_alloc_parent_domain", "JJJ");
    createFlow = of("ibv_create_flow", "ibv_create_flow", "JJJ");
    destroyFlow = of("ibv_destroy_flow", "ibv_destroy_flow", "IJ");
    createCounters = of("create_counters", "ibv_create_counters", "JJJ");
    destroyCounters = of("destroy_counters", "ibv_destroy_counters", "IJ");
    attachCounters = of("attach_counters_point_flow", "ibv_attach_counters_point_flow", "IJJJ");
    readCounters = of("read_counters", "ibv_read_counters", "IJJII");
  }

  /** A function of {@code ibv_context_ops}; 0 if the driver has none. */
  long operation(String name) {
    return RawMemory.getLong(context + OPS + VerbsAbi.offset("ibv_context_ops." + name));
  }

  private ControlFunction of(String member, String verb, String signature) {
    int offset = VerbsAbi.offset("verbs_context." + member);
    long size =
        extended == 0 ? 0 : RawMemory.getLong(extended + VerbsAbi.offset("verbs_context.sz"));
    long address = size < SIZE - offset ? 0 : RawMemory.getLong(extended + offset);
    return ControlFunction.at(extended == 0 ? 0 : address, verb, signature);
  }
}
