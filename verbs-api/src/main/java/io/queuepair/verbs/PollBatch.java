// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.util.Set;

/**
 * Completions of an {@link ExtendedCompletionQueue} that are read one by one, field by field
 * ({@code ibv_start_poll(3)}). It begins before its first completion.
 *
 * <p>A field can be read if it was asked for when the queue was created; identifier, status,
 * opcode, flags and vendor syndrome always. Of a completion that is not a success only identifier,
 * status, queue pair and vendor syndrome are valid. Every reader throws a {@link VerbsException}
 * with EINVAL before the first {@link #nextPoll}, after it has returned false, after the end of the
 * batch, in another thread, and for a field that was not asked for.
 *
 * <p>A batch belongs to the thread that started it.
 */
public interface PollBatch extends AutoCloseable {
  /**
   * Moves to the next completion; the first call moves to the one that the batch was started with
   * ({@code ibv_start_poll}).
   *
   * @return false if there is none (ENOENT in C); one that is added later can still be read
   * @throws VerbsException EINVAL if the batch has ended, or belongs to another thread
   */
  @Verb("ibv_next_poll")
  boolean nextPoll();

  /**
   * Ends the batch; without effect if it has ended. Only now the entries of its completions have
   * room for others. The completion that the batch was started with is taken, even if it was not
   * read.
   *
   * @throws VerbsException EINVAL if the batch belongs to another thread
   */
  @Override
  @Verb("ibv_end_poll")
  void close();

  /**
   * The identifier given in the work request.
   *
   * @return member {@code wr_id} of the current completion
   */
  long wrId();

  /**
   * Success, or why the work failed.
   *
   * @return member {@code status} of the current completion
   */
  WcStatus status();

  /**
   * Why the work failed, in words.
   *
   * @return as {@link WorkCompletion#explain}
   */
  String explain();

  /**
   * The kind of work.
   *
   * @return what kind of work completed
   */
  @Verb("ibv_wc_read_opcode")
  WcOpcode readOpcode();

  /**
   * The syndrome of the vendor.
   *
   * @return vendor specific detail of an error, 0 here
   */
  @Verb("ibv_wc_read_vendor_err")
  int readVendorErr();

  /**
   * The flags.
   *
   * @return which optional fields are valid
   */
  @Verb("ibv_wc_read_wc_flags")
  Set<WcFlag> readWcFlags();

  /**
   * The length. Needs {@link CreateCqWcFlag#WITH_BYTE_LEN}.
   *
   * @return bytes transferred, unsigned 32-bit
   */
  @Verb("ibv_wc_read_byte_len")
  int readByteLen();

  /**
   * The immediate data. Needs {@link CreateCqWcFlag#WITH_IMM}.
   *
   * @return immediate data; its big-endian bytes are those on the wire
   */
  @Verb("ibv_wc_read_imm_data")
  int readImmData();

  /**
   * The invalidated key. Needs {@link CreateCqWcFlag#WITH_IMM}.
   *
   * @return remote key that the message invalidated
   */
  @Verb("ibv_wc_read_invalidated_rkey")
  int readInvalidatedRkey();

  /**
   * The queue pair. Needs {@link CreateCqWcFlag#WITH_QP_NUM}.
   *
   * @return local queue pair number, 24-bit
   */
  @Verb("ibv_wc_read_qp_num")
  int readQpNum();

  /**
   * The queue pair of the sender. Needs {@link CreateCqWcFlag#WITH_SRC_QP}.
   *
   * @return queue pair number of the sender, 24-bit (UD only)
   */
  @Verb("ibv_wc_read_src_qp")
  int readSrcQp();

  /**
   * The LID of the sender. Needs {@link CreateCqWcFlag#WITH_SLID}.
   *
   * @return local identifier of the sender; 0, as RoCE has none
   */
  @Verb("ibv_wc_read_slid")
  int readSlid();

  /**
   * The service level. Needs {@link CreateCqWcFlag#WITH_SL}.
   *
   * @return service level; 0, as RoCE packets do not carry it
   */
  @Verb("ibv_wc_read_sl")
  int readSl();

  /**
   * The path bits. Needs {@link CreateCqWcFlag#WITH_DLID_PATH_BITS}.
   *
   * @return path bits of the own local identifier; 0, as RoCE has none
   */
  @Verb("ibv_wc_read_dlid_path_bits")
  int readDlidPathBits();

  /**
   * The time of the device. Needs {@link CreateCqWcFlag#WITH_COMPLETION_TIMESTAMP}.
   *
   * @return when the completion was added, by the clock of the device: nanoseconds in the time of
   *     the network
   */
  @Verb("ibv_wc_read_completion_ts")
  long readCompletionTs();

  /**
   * The time of day. Needs {@link CreateCqWcFlag#WITH_COMPLETION_TIMESTAMP_WALLCLOCK}.
   *
   * @return when the completion was added, in nanoseconds since 1970; in virtual time since the
   *     network began
   */
  @Verb("ibv_wc_read_completion_wallclock_ns")
  long readCompletionWallclockNs();

  /**
   * The VLAN tag that was taken from the frame. Needs {@link CreateCqWcFlag#WITH_CVLAN}.
   *
   * @return its control information (priority, DEI, VLAN), 16-bit; 0 if no tag was taken
   */
  @Verb("ibv_wc_read_cvlan")
  int readCvlan();

  /**
   * The flow tag. Needs {@link CreateCqWcFlag#WITH_FLOW_TAG}.
   *
   * @return tag of the steering rule that the packet matched
   */
  @Verb("ibv_wc_read_flow_tag")
  int readFlowTag();

  /**
   * The tag. Needs {@link CreateCqWcFlag#WITH_TM_INFO}.
   *
   * @return what tag matching says of the message
   */
  @Verb("ibv_wc_read_tm_info")
  WcTmInfo readTmInfo();
}
