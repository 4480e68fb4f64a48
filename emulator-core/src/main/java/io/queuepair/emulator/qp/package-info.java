/** The transition table, the attributes and the life of one QP. */
package io.queuepair.emulator.qp;
