// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A field that completions are to have ({@code enum ibv_create_cq_wc_flags}). */
public enum CreateCqWcFlag implements VerbsConstant {
  /** {@link PollBatch#readByteLen}. */
  WITH_BYTE_LEN(1 << 0),

  /** {@link PollBatch#readImmData} and the invalidated key. */
  WITH_IMM(1 << 1),

  /** {@link PollBatch#readQpNum}. */
  WITH_QP_NUM(1 << 2),

  /** {@link PollBatch#readSrcQp}. */
  WITH_SRC_QP(1 << 3),

  /** {@link PollBatch#readSlid}. */
  WITH_SLID(1 << 4),

  /** {@link PollBatch#readSl}. */
  WITH_SL(1 << 5),

  /** {@link PollBatch#readDlidPathBits}. */
  WITH_DLID_PATH_BITS(1 << 6),

  /** {@link PollBatch#readCompletionTs}. */
  WITH_COMPLETION_TIMESTAMP(1 << 7),

  /** {@link PollBatch#readCvlan}. */
  WITH_CVLAN(1 << 8),

  /** {@link PollBatch#readFlowTag}; not offered here. */
  WITH_FLOW_TAG(1 << 9),

  /** {@link PollBatch#readTmInfo}; not offered here. */
  WITH_TM_INFO(1 << 10),

  /** {@link PollBatch#readCompletionWallclockNs}. */
  WITH_COMPLETION_TIMESTAMP_WALLCLOCK(1 << 11);

  private static final Set<CreateCqWcFlag> STANDARD =
      Collections.unmodifiableSet(EnumSet.range(WITH_BYTE_LEN, WITH_DLID_PATH_BITS));

  private final int code;

  CreateCqWcFlag(int code) {
    this.code = code;
  }

  /**
   * The fields that a plain completion has too ({@code IBV_WC_STANDARD_FLAGS}).
   *
   * @return the first seven
   */
  public static Set<CreateCqWcFlag> standard() {
    return STANDARD;
  }

  @Override
  public int code() {
    return code;
  }
}
