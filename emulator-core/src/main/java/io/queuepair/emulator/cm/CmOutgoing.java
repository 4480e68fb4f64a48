// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;

public record CmOutgoing(CmPeer to, CmMessage message) {}
