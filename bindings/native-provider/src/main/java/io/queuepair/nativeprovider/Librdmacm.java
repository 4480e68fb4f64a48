// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/** The functions that the system's connection manager exports. Newer ones may be missing. */
final class Librdmacm {
  private static final String LIBRARY = "librdmacm.so.1";

  @SuppressWarnings("restricted") // Calling C is what this is for.
  private static final SymbolLookup SYMBOLS = SymbolLookup.libraryLookup(LIBRARY, Arena.global());

  static final ControlFunction CREATE_EVENT_CHANNEL = verb("rdma_create_event_channel", "J");
  static final ControlFunction DESTROY_EVENT_CHANNEL = verb("rdma_destroy_event_channel", "VJ");
  static final ControlFunction CREATE_ID = verb("rdma_create_id", "IJJJI");
  static final ControlFunction CREATE_EP = verb("rdma_create_ep", "IJJJJ");
  static final ControlFunction DESTROY_ID = verb("rdma_destroy_id", "IJ");
  static final ControlFunction DESTROY_EP = verb("rdma_destroy_ep", "VJ");
  static final ControlFunction BIND_ADDR = verb("rdma_bind_addr", "IJJ");
  static final ControlFunction RESOLVE_ADDR = verb("rdma_resolve_addr", "IJJJI");
  static final ControlFunction RESOLVE_ROUTE = verb("rdma_resolve_route", "IJI");
  static final ControlFunction CREATE_QP_EX = verb("rdma_create_qp_ex", "IJJ");
  static final ControlFunction CREATE_SRQ_EX = verb("rdma_create_srq_ex", "IJJ");
  static final ControlFunction CONNECT = verb("rdma_connect", "IJJ");
  static final ControlFunction ESTABLISH = verb("rdma_establish", "IJ");
  static final ControlFunction LISTEN = verb("rdma_listen", "IJI");
  static final ControlFunction ACCEPT = verb("rdma_accept", "IJJ");
  static final ControlFunction REJECT = verb("rdma_reject", "IJJB");
  static final ControlFunction REJECT_ECE = verb("rdma_reject_ece", "IJJB");
  static final ControlFunction NOTIFY = verb("rdma_notify", "IJI");
  static final ControlFunction DISCONNECT = verb("rdma_disconnect", "IJ");
  static final ControlFunction JOIN_MULTICAST_EX = verb("rdma_join_multicast_ex", "IJJJ");
  static final ControlFunction LEAVE_MULTICAST = verb("rdma_leave_multicast", "IJJ");
  static final ControlFunction GET_CM_EVENT = verb("rdma_get_cm_event", "IJJ");
  static final ControlFunction ACK_CM_EVENT = verb("rdma_ack_cm_event", "IJ");
  static final ControlFunction GET_DEVICES = verb("rdma_get_devices", "JJ");
  static final ControlFunction SET_OPTION = verb("rdma_set_option", "IJIIJJ");
  static final ControlFunction MIGRATE_ID = verb("rdma_migrate_id", "IJJ");
  static final ControlFunction GETADDRINFO = verb("rdma_getaddrinfo", "IJJJJ");
  static final ControlFunction FREEADDRINFO = verb("rdma_freeaddrinfo", "VJ");
  static final ControlFunction INIT_QP_ATTR = verb("rdma_init_qp_attr", "IJJJ");
  static final ControlFunction SET_LOCAL_ECE = verb("rdma_set_local_ece", "IJJ");
  static final ControlFunction GET_REMOTE_ECE = verb("rdma_get_remote_ece", "IJJ");
  static final ControlFunction RESOLVE_ADDRINFO = verb("rdma_resolve_addrinfo", "IJJJJ");
  static final ControlFunction QUERY_ADDRINFO = verb("rdma_query_addrinfo", "IJJ");
  static final ControlFunction WRITE_CM_EVENT = verb("rdma_write_cm_event", "IJIIJ");

  private Librdmacm() {}

  private static ControlFunction verb(String name, String signature) {
    long address = SYMBOLS.find(name).map(MemorySegment::address).orElse(0L);
    return ControlFunction.at(address, name, signature);
  }
}
