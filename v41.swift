func a(_ s: Storage) { _ = s.query(Reminder.self).where { $0.assignee.name.count > 3 } }
