// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** The functions that the libraries of the system export. */
final class Libibverbs {
  private static final String LIBRARY = "libibverbs.so.1";

  @SuppressWarnings("restricted") // Calling C is what this is for.
  private static final SymbolLookup VERBS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());

  static final ControlFunction GET_DEVICE_LIST = verb("ibv_get_device_list", "JJ");
  static final ControlFunction GET_DEVICE_NAME = verb("ibv_get_device_name", "JJ");
  static final ControlFunction GET_DEVICE_GUID = verb("ibv_get_device_guid", "JJ");
  static final ControlFunction GET_DEVICE_INDEX = verb("ibv_get_device_index", "IJ");
  static final ControlFunction OPEN_DEVICE = verb("ibv_open_device", "JJ");
  static final ControlFunction CLOSE_DEVICE = verb("ibv_close_device", "IJ");
  static final ControlFunction QUERY_DEVICE = verb("ibv_query_device", "IJJ");
  static final ControlFunction QUERY_PORT = verb("ibv_query_port", "IJBJ");
  static final ControlFunction QUERY_PORT_SPEED = verb("ibv_query_port_speed", "IJIJ");
  static final ControlFunction QUERY_GID = verb("ibv_query_gid", "IJBIJ");
  static final ControlFunction QUERY_GID_EX = verb("_ibv_query_gid_ex", "IJIIJIJ");
  static final ControlFunction QUERY_GID_TABLE = verb("_ibv_query_gid_table", "JJJJIJ");
  static final ControlFunction QUERY_PKEY = verb("ibv_query_pkey", "IJBIJ");
  static final ControlFunction GET_PKEY_INDEX = verb("ibv_get_pkey_index", "IJBS");
  static final ControlFunction ALLOC_PD = verb("ibv_alloc_pd", "JJ");
  static final ControlFunction DEALLOC_PD = verb("ibv_dealloc_pd", "IJ");
  static final ControlFunction REG_MR = verb("ibv_reg_mr", "JJJJI");
  static final ControlFunction REG_MR_IOVA2 = verb("ibv_reg_mr_iova2", "JJJJJI");
  static final ControlFunction REREG_MR = verb("ibv_rereg_mr", "IJIJJJI");
  static final ControlFunction DEREG_MR = verb("ibv_dereg_mr", "IJ");
  static final ControlFunction ALLOC_BUF = verb("ibv_alloc_buf", "JJJJ");
  static final ControlFunction FREE_BUF = verb("ibv_free_buf", "VJ");
  static final ControlFunction REG_BUF_MR = verb("ibv_reg_buf_mr", "JJJJJI");
  static final ControlFunction EXPORT_BUF_DMABUF_FD = verb("ibv_export_buf_dmabuf_fd", "IJ");
  static final ControlFunction CREATE_CHANNEL = verb("ibv_create_comp_channel", "JJ");
  static final ControlFunction DESTROY_CHANNEL = verb("ibv_destroy_comp_channel", "IJ");
  static final ControlFunction CREATE_CQ = verb("ibv_create_cq", "JJIJJI");
  static final ControlFunction RESIZE_CQ = verb("ibv_resize_cq", "IJI");
  static final ControlFunction DESTROY_CQ = verb("ibv_destroy_cq", "IJ");
  static final ControlFunction GET_CQ_EVENT = verb("ibv_get_cq_event", "IJJJ");
  static final ControlFunction ACK_CQ_EVENTS = verb("ibv_ack_cq_events", "VJI");
  static final ControlFunction CREATE_SRQ = verb("ibv_create_srq", "JJJ");
  static final ControlFunction MODIFY_SRQ = verb("ibv_modify_srq", "IJJI");
  static final ControlFunction QUERY_SRQ = verb("ibv_query_srq", "IJJ");
  static final ControlFunction DESTROY_SRQ = verb("ibv_destroy_srq", "IJ");
  static final ControlFunction CREATE_QP = verb("ibv_create_qp", "JJJ");
  static final ControlFunction MODIFY_QP = verb("ibv_modify_qp", "IJJI");
  static final ControlFunction QUERY_QP = verb("ibv_query_qp", "IJJIJ");
  static final ControlFunction DESTROY_QP = verb("ibv_destroy_qp", "IJ");
  static final ControlFunction DATA_IN_ORDER = verb("ibv_query_qp_data_in_order", "IJII");
  static final ControlFunction QP_TO_QP_EX = verb("ibv_qp_to_qp_ex", "JJ");
  static final ControlFunction CREATE_AH = verb("ibv_create_ah", "JJJ");
  static final ControlFunction DESTROY_AH = verb("ibv_destroy_ah", "IJ");
  static final ControlFunction INIT_AH_FROM_WC = verb("ibv_init_ah_from_wc", "IJBJJJ");
  static final ControlFunction ATTACH_MCAST = verb("ibv_attach_mcast", "IJJS");
  static final ControlFunction DETACH_MCAST = verb("ibv_detach_mcast", "IJJS");
  static final ControlFunction GET_ASYNC_EVENT = verb("ibv_get_async_event", "IJJ");
  static final ControlFunction ACK_ASYNC_EVENT = verb("ibv_ack_async_event", "VJ");
  static final ControlFunction RESOLVE_ETH_L2 = verb("ibv_resolve_eth_l2_from_gid", "IJJJJ");

  static final ControlFunction POLL = libc("poll", "IJJI");
  static final ControlFunction OPEN = libc("open", "IJII");
  static final ControlFunction CLOSE = libc("close", "II");
  static final ControlFunction FCNTL = libc("fcntl", "IIII");

  private Libibverbs() {}

  private static ControlFunction verb(String symbol, String signature) {
    long address = VERBS.find(symbol).map(MemorySegment::address).orElse(0L);
    String name = symbol.startsWith("_") ? symbol.substring(1) : symbol;
    return ControlFunction.at(address, name, signature);
  }

  /** On 64-bit Linux the arguments of open and fcntl are passed as if they were fixed. */
  @SuppressWarnings("restricted") // Calling C is what this is for.
  private static ControlFunction libc(String symbol, String signature) {
    MemorySegment address = Linker.nativeLinker().defaultLookup().find(symbol).orElseThrow();
    return ControlFunction.at(address.address(), symbol, signature);
  }
}
