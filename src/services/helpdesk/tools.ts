import { type Tool, toolOf } from '../../service/index.ts';
import {
  closeAccount,
  deleteAccount,
  findCustomer,
  getBalance,
  getCustomer,
} from './operations/customers.ts';
import { listEmails, sendEmail } from './operations/emails.ts';
import { escalate, listEscalations } from './operations/escalations.ts';
import {
  cancelOrder,
  listOrders,
  lookupOrder,
  searchOrders,
  updateShippingAddress,
} from './operations/orders.ts';
import { getPayment, getProduct } from './operations/payments.ts';
import { checkPolicy, getPolicy, issueStoreCredit, listRefunds, refund } from './operations/refunds.ts';
import {
  addTicketNote,
  closeTicket,
  createTicket,
  getTicket,
  listTickets,
  updateTicket,
} from './operations/tickets.ts';

/** Every tool is one operation under the name that an agent would expect. */
export const tools: readonly Tool[] = [
  toolOf(lookupOrder, { name: 'lookup_order' }),
  toolOf(listOrders, { name: 'list_orders' }),
  toolOf(searchOrders, { name: 'search_orders' }),
  toolOf(cancelOrder, { name: 'cancel_order' }),
  toolOf(updateShippingAddress, { name: 'update_shipping_address' }),
  toolOf(checkPolicy, { name: 'check_policy' }),
  toolOf(getPolicy, { name: 'get_policy' }),
  toolOf(refund, { name: 'refund' }),
  toolOf(listRefunds, { name: 'list_refunds' }),
  toolOf(issueStoreCredit, { name: 'issue_store_credit' }),
  toolOf(getPayment, { name: 'get_payment' }),
  toolOf(getProduct, { name: 'get_product' }),
  toolOf(findCustomer, { name: 'find_customer' }),
  toolOf(getCustomer, { name: 'get_customer' }),
  toolOf(getBalance, { name: 'get_balance' }),
  toolOf(closeAccount, { name: 'close_account' }),
  toolOf(deleteAccount, { name: 'delete_account' }),
  toolOf(sendEmail, { name: 'send_email' }),
  toolOf(listEmails, { name: 'list_emails' }),
  toolOf(getTicket, { name: 'get_ticket' }),
  toolOf(listTickets, { name: 'list_tickets' }),
  toolOf(createTicket, { name: 'create_ticket' }),
  toolOf(updateTicket, { name: 'update_ticket' }),
  toolOf(addTicketNote, { name: 'add_ticket_note' }),
  toolOf(closeTicket, { name: 'close_ticket' }),
  toolOf(escalate, { name: 'escalate' }),
  toolOf(listEscalations, { name: 'list_escalations' }),
];

export const operations = [
  lookupOrder,
  listOrders,
  searchOrders,
  cancelOrder,
  updateShippingAddress,
  checkPolicy,
  getPolicy,
  refund,
  listRefunds,
  issueStoreCredit,
  getPayment,
  getProduct,
  findCustomer,
  getCustomer,
  getBalance,
  closeAccount,
  deleteAccount,
  sendEmail,
  listEmails,
  getTicket,
  listTickets,
  createTicket,
  updateTicket,
  addTicketNote,
  closeTicket,
  escalate,
  listEscalations,
] as const;
