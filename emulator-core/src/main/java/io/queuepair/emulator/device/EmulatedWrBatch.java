// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedExtendedQueuePair.WrDefaults;
import io.queuepair.emulator.hca.WrBuilder;
import io.queuepair.emulator.hca.WrPosition;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendOperation.WrSetter;
import io.queuepair.emulator.queue.SendRequest;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.BindMwWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBindInfo;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.WrBatch;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An open batch of sends on a queue pair. It belongs to one thread. */
final class EmulatedWrBatch implements WrBatch {
  static final String COMPLETE = "ibv_wr_complete";
  static final String NO_INLINE_FLAG = "INLINE is not a flag here: setInlineData stands for it";

  private final EmulatedExtendedQueuePair qp;
  private final List<WrBuilder> builders = new ArrayList<>();

  /** First mistake outside of any request, or null; and the number of requests before it. */
  private @Nullable String mistake;

  private int requestsBefore;

  EmulatedWrBatch(EmulatedExtendedQueuePair qp) {
    this.qp = qp;
  }

  @Override
  public WrBatch wrId(long wrId) {
    qp.checkOpen(this, "wr_id");
    qp.setSticky(new WrDefaults(wrId, qp.wrDefaults().flags()));
    return this;
  }

  @Override
  public WrBatch wrFlags(@Nullable Set<SendFlag> flags) {
    qp.checkOpen(this, "wr_flags");
    if (holdsNull(flags)) {
      fail("wrFlags got null");
    } else {
      qp.setSticky(new WrDefaults(qp.wrDefaults().wrId(), SendFlag.copyOf(flags)));
    }
    return this;
  }

  private void fail(String newMistake) {
    if (mistake == null) {
      mistake = newMistake;
      requestsBefore = builders.size();
    }
  }

  /** Whether a set is null or contains null. */
  private static boolean holdsNull(@Nullable Set<?> flags) {
    return flags == null || flags.stream().anyMatch(Objects::isNull);
  }

  /**
   * Begins a request with the current identifier and flags.
   *
   * @param operands sets what is specific to the operation
   */
  private WrBuilder begin(String verb, WrOpcode opcode, Consumer<SendRequest> operands) {
    qp.checkOpen(this, verb);
    SendOperation operation = SendOperation.of(opcode);
    WrDefaults defaults = qp.wrDefaults();
    WrBuilder builder =
        new WrBuilder(
            operation, qp.initAttr().qpType(), defaults.wrId(), defaults.flags(), operands);
    if (!qp.grants(operation.flag())) {
      builder.fail(EmulatedExtendedQueuePair.notGranted(operation));
    }
    if (defaults.flags().contains(SendFlag.INLINE)) {
      builder.fail(NO_INLINE_FLAG);
    }
    builders.add(builder);
    return builder;
  }

  private WrBatch begun(String verb, WrOpcode opcode, Consumer<SendRequest> operands) {
    begin(verb, opcode, operands);
    return this;
  }

  @Override
  public WrBatch send() {
    return begun("ibv_wr_send", WrOpcode.SEND, request -> {});
  }

  @Override
  public WrBatch sendImm(int immData) {
    return begun("ibv_wr_send_imm", WrOpcode.SEND_WITH_IMM, request -> request.number(immData));
  }

  @Override
  public WrBatch sendInv(int invalidateRkey) {
    return begun(
        "ibv_wr_send_inv", WrOpcode.SEND_WITH_INV, request -> request.number(invalidateRkey));
  }

  @Override
  public WrBatch sendTso(ByteBuffer hdr, int mss) {
    ByteBuffer header = copyOf(hdr).buffer().rewind();
    WrDefaults defaults = qp.wrDefaults();
    begin(
            "ibv_wr_send_tso",
            WrOpcode.TSO,
            request ->
                request.details(
                    new TsoWr(defaults.wrId(), List.of(), defaults.flags(), header, mss)))
        .demand("hdr", hdr);
    return this;
  }

  /** Copies the bytes of an argument; null gives none. */
  private static Payload copyOf(ByteBuffer bytes) {
    return bytes == null ? Payload.EMPTY : Payload.copyOf(List.of(bytes));
  }

  @Override
  public WrBatch rdmaRead(int rkey, long remoteAddr) {
    return begun(
        "ibv_wr_rdma_read", WrOpcode.RDMA_READ, request -> request.remote(remoteAddr, rkey));
  }

  @Override
  public WrBatch rdmaWrite(int rkey, long remoteAddr) {
    return begun(
        "ibv_wr_rdma_write", WrOpcode.RDMA_WRITE, request -> request.remote(remoteAddr, rkey));
  }

  @Override
  public WrBatch rdmaWriteImm(int rkey, long remoteAddr, int immData) {
    return begun(
        "ibv_wr_rdma_write_imm",
        WrOpcode.RDMA_WRITE_WITH_IMM,
        request -> request.remote(remoteAddr, rkey).number(immData));
  }

  @Override
  public WrBatch atomicCmpSwp(int rkey, long remoteAddr, long compare, long swap) {
    return begun(
        "ibv_wr_atomic_cmp_swp",
        WrOpcode.ATOMIC_CMP_AND_SWP,
        request -> request.remote(remoteAddr, rkey).atomic(compare, swap));
  }

  @Override
  public WrBatch atomicFetchAdd(int rkey, long remoteAddr, long add) {
    return begun(
        "ibv_wr_atomic_fetch_add",
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        request -> request.remote(remoteAddr, rkey).atomic(add, 0));
  }

  @Override
  public WrBatch atomicWrite(int rkey, long remoteAddr, ByteBuffer value) {
    WrBuilder builder =
        begin(
            "ibv_wr_atomic_write",
            WrOpcode.ATOMIC_WRITE,
            request -> request.remote(remoteAddr, rkey));
    builder.demand("value", value);
    builder.setBytesOfTheBuilder(copyOf(value));
    return this;
  }

  @Override
  public WrBatch flush(
      int rkey,
      long remoteAddr,
      long length,
      Set<PlacementType> placements,
      SelectivityLevel level) {
    Set<PlacementType> placementTypes = holdsNull(placements) ? null : Set.copyOf(placements);
    WrDefaults defaults = qp.wrDefaults();
    WrBuilder builder =
        begin(
            "ibv_wr_flush",
            WrOpcode.FLUSH,
            request ->
                request
                    .remote(remoteAddr, rkey)
                    .details(
                        new FlushWr(
                            defaults.wrId(),
                            defaults.flags(),
                            remoteAddr,
                            rkey,
                            length,
                            placementTypes,
                            level)));
    builder.demand("placements", placementTypes);
    builder.demand("level", level);
    return this;
  }

  @Override
  public WrBatch bindMw(MemoryWindow mw, int rkey, MwBindInfo binding) {
    WrDefaults defaults = qp.wrDefaults();
    WrBuilder builder =
        begin(
            "ibv_wr_bind_mw",
            WrOpcode.BIND_MW,
            request ->
                request.details(
                    new BindMwWr(defaults.wrId(), defaults.flags(), mw, rkey, binding)));
    builder.demand("mw", mw);
    builder.demand("binding", binding);
    return this;
  }

  @Override
  public WrBatch localInv(int invalidateRkey) {
    return begun("ibv_wr_local_inv", WrOpcode.LOCAL_INV, request -> request.number(invalidateRkey));
  }

  private WrBatch set(String verb, Consumer<WrBuilder> setter) {
    qp.checkOpen(this, verb);
    if (!builders.isEmpty()) {
      setter.accept(builders.get(builders.size() - 1));
    } else {
      fail(verb + " has no request to set anything of");
    }
    return this;
  }

  @Override
  public WrBatch setSge(Sge sge) {
    return set(
        "ibv_wr_set_sge", builder -> builder.setEntries("sge", Collections.singletonList(sge)));
  }

  @Override
  public WrBatch setSgeList(List<Sge> sgList) {
    return set("ibv_wr_set_sge_list", builder -> builder.setEntries("sgList", sgList));
  }

  @Override
  public WrBatch setInlineData(ByteBuffer bytes) {
    return set(
        "ibv_wr_set_inline_data",
        builder -> builder.setBytes("bytes", Collections.singletonList(bytes)));
  }

  @Override
  public WrBatch setInlineDataList(List<ByteBuffer> parts) {
    return set("ibv_wr_set_inline_data_list", builder -> builder.setBytes("parts", parts));
  }

  @Override
  public WrBatch setUdAddr(AddressHandle ah, int remoteQpn, int remoteQkey) {
    return set(
        "ibv_wr_set_ud_addr",
        builder ->
            builder.setAddress(WrSetter.UD_ADDR, request -> request.to(ah, remoteQpn, remoteQkey)));
  }

  @Override
  public WrBatch setXrcSrqn(int remoteSrqn) {
    return set(
        "ibv_wr_set_xrc_srqn",
        builder -> builder.setAddress(WrSetter.XRC_SRQN, request -> request.toSrq(remoteSrqn)));
  }

  @Override
  public void complete() {
    qp.checkOpen(this, COMPLETE);
    try {
      qp.driver().beginVerb(COMPLETE);
      if (mistake != null) {
        checkRequestsBefore();
        throw WrPosition.inBatch(requestsBefore).refusal(mistake);
      }
      qp.post(
          builders.size(),
          builders,
          (builderList, index, request) ->
              builderList.get(index).fill(request, WrPosition.inBatch(index)));
    } finally {
      qp.end();
    }
  }

  /** Refuses an earlier request that has a mistake, as that one comes first. */
  private void checkRequestsBefore() {
    for (int index = 0; index < requestsBefore; index++) {
      builders.get(index).check(WrPosition.inBatch(index));
    }
  }

  @Override
  public String toString() {
    return builders.size() + " sends of a batch on " + qp;
  }

  @Override
  public void close() {
    if (!qp.isOpen(this)) {
      return;
    }
    qp.checkOpen(this, "ibv_wr_abort");
    qp.end();
  }
}
