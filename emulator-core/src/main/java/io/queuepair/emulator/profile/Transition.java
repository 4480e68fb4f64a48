// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Set;

/**
 * One row of a {@link TransitionTable}. {@link QpAttrMask#STATE} is in neither set: it may always
 * be given, and must be unless both states are the same.
 *
 * @param type transport service
 * @param from the state before
 * @param to the state after
 * @param required attributes that must be given
 * @param optional attributes that may be given
 */
public record Transition(
    QpType type, QpState from, QpState to, Set<QpAttrMask> required, Set<QpAttrMask> optional) {}
