// SPDX-License-Identifier: Apache-2.0
/**
 * What all verbs objects have in common: the context that owns them, their domain, their events.
 */
@NullMarked
package io.queuepair.emulator.device.objects;

import org.jspecify.annotations.NullMarked;
