// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpType;
import java.util.EnumSet;
import java.util.Set;

/** What is measured, with perftest's word for it and the transport services that have it. */
enum PerftestOperation {
  WRITE("RDMA_Write", EnumSet.of(QpType.RC, QpType.UC, QpType.XRC_SEND), AccessFlag.REMOTE_WRITE),
  READ("RDMA_Read", EnumSet.of(QpType.RC, QpType.XRC_SEND), AccessFlag.REMOTE_READ),
  SEND("Send", EnumSet.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND)),
  ATOMIC("Atomic", EnumSet.of(QpType.RC, QpType.XRC_SEND), AccessFlag.REMOTE_ATOMIC);

  private final String title;
  private final Set<QpType> services;
  private final Set<AccessFlag> remoteAccess;

  PerftestOperation(String title, Set<QpType> services, AccessFlag... remoteAccess) {
    this.title = title;
    this.services = services;
    this.remoteAccess = Set.of(remoteAccess);
  }

  String title() {
    return title;
  }

  Set<QpType> services() {
    return services;
  }

  /** What the peer must be allowed to do with the memory that was announced to it. */
  Set<AccessFlag> remoteAccess() {
    return remoteAccess;
  }

  /** Whether the responder keeps a place for each such request outstanding. */
  boolean isAnswered() {
    return this == READ || this == ATOMIC;
  }
}
