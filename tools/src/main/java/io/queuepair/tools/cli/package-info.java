// SPDX-License-Identifier: Apache-2.0
/** Parts that commands share: arguments, files, progress, errors, devices. Contains no command. */
package io.queuepair.tools.cli;
