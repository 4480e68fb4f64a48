// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;

/** One end of a connection, or a listener. */
final class DisniCmId extends RdmaCmId {
  private final io.queuepair.rdmacm.RdmaCmId id;
  private final DisniEventChannel eventChannel;
  private final DisniContexts contexts;

  DisniCmId(DisniEventChannel eventChannel, io.queuepair.rdmacm.RdmaCmId id, DisniContexts contexts)
      throws IOException {
    super(eventChannel, null);
    this.eventChannel = eventChannel;
    this.id = id;
    this.contexts = contexts;
    ps = id.ps().code();
  }

  io.queuepair.rdmacm.RdmaCmId id() {
    return id;
  }

  /** The device that the id is bound to by now, or null. */
  @Override
  public IbvContext getVerbs() throws IOException {
    return contexts.of(id.verbs());
  }

  @Override
  public byte getPort_num() {
    return (byte) id.portNum();
  }

  void attach(IbvQP qp) {
    setQp(qp);
  }

  /** The id is destroyed: no event is for it any more. */
  @Override
  public void close() {
    super.close();
    eventChannel.remove(id);
  }
}
