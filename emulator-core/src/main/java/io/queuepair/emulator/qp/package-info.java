/**
 * One queue pair: the transition table, the checks of {@code ibv_modify_qp}, attributes and state.
 * No packet is looked at here. May use {@code queue}, {@code memory}, {@code wire}, {@code
 * profile}.
 */
package io.queuepair.emulator.qp;
